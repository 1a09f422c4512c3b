import { readFile } from 'node:fs/promises'
import { BootstrapDocument, LISTS } from './bootstrap-document.types.ts'
import {
  BootstrapError,
  collectProblems,
  formatPath,
  type Problems,
  throwProblems,
} from './bootstrap-problems.errors.ts'

/** More than the size of a 200,000-person file. */
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Reads a bootstrap file, JSON or YAML by content.
 * @throws BootstrapError if it can't be read or is neither.
 */
export async function readDocument(path: string): Promise<unknown> {
  const text = await readFile(path).then(
    (bytes) => bytes,
    (error: NodeJS.ErrnoException) => refuse(path, `can't be read (${error.code ?? 'unknown error'})`),
  )
  if (text.length > MAX_BYTES) return refuse(path, 'is larger than 256 MiB')
  return parseText(path, text.toString('utf8').replace(/^\uFEFF/, ''))
}

async function parseText(path: string, text: string): Promise<unknown> {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      // Possibly YAML flow style; if not, YAML's message names line and column.
    }
  }
  const { parse, YAMLParseError } = await import('yaml')
  try {
    return parse(text, { merge: true, maxAliasCount: 1000, prettyErrors: true, logLevel: 'error' }) ?? {}
  } catch (error) {
    // The rest of the message quotes the line, which may contain a password.
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined
    return refuse(path, line === undefined ? 'is neither JSON nor YAML' : `is not valid YAML, see line ${line}`)
  }
}

function refuse(source: string, message: string): never {
  throw new BootstrapError(source, [{ path: '', message }])
}

/**
 * Validates a document's form: known keys, values, no duplicate entries.
 * @throws BootstrapError with the path of every invalid entry.
 */
export function validateDocument(source: string, value: unknown): BootstrapDocument {
  const problems = collectProblems()
  const parsed = BootstrapDocument.safeParse(value)
  if (parsed.success) {
    reportDuplicates(parsed.data, problems)
    throwProblems(source, problems)
    return parsed.data
  }
  for (const issue of parsed.error.issues) {
    if (issue.code !== 'unrecognized_keys') problems.add(formatPath(issue.path), issue.message)
    else for (const key of issue.keys) problems.add(formatPath([...issue.path, key]), 'no such key')
  }
  throw new BootstrapError(source, problems.list)
}

function reportDuplicates(document: BootstrapDocument, problems: Problems): void {
  for (const [name, key] of LISTS) {
    const first = new Map<string, number>()
    for (const [at, entry] of document[name].entries()) {
      const value = (entry as Record<string, unknown>)[key] as string
      const before = first.get(value)
      if (before === undefined) first.set(value, at)
      else problems.add(`${name}[${at}].${key}`, `"${value}" is already ${name}[${before}]`)
    }
  }
}
