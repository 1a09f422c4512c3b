import { RE2JS } from 're2js'

/** Size limit of a pattern: matching a value takes at most a few milliseconds. */
const MAX_INSTRUCTIONS = 2000

/**
 * A pattern written by an administrator, in RE2 syntax: it runs in linear time on any input.
 * @returns whether the whole of a text matches; null: invalid, or too large.
 */
export function compilePattern(pattern: string): ((text: string) => boolean) | null {
  try {
    const compiled = RE2JS.compile(pattern)
    return compiled.programSize() > MAX_INSTRUCTIONS ? null : (text) => compiled.matches(text)
  } catch {
    return null
  }
}
