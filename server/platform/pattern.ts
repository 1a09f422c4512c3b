import { RE2JS } from 're2js'

/** What one pattern may cost: a value is compared in a few milliseconds at most. */
const MAX_INSTRUCTIONS = 2000

/**
 * A pattern that an administrator wrote, in RE2 syntax: it runs in linear time, whatever it is compared with.
 * @returns tells whether the whole of a text fits; null: it is none, or a too large one.
 */
export function compilePattern(pattern: string): ((text: string) => boolean) | null {
  try {
    const compiled = RE2JS.compile(pattern)
    return compiled.programSize() > MAX_INSTRUCTIONS ? null : (text) => compiled.matches(text)
  } catch {
    return null
  }
}
