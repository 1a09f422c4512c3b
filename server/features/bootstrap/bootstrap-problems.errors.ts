import { ConfigurationError } from '../../platform/config.ts'

/** A problem in a bootstrap document, and where: `users[3].organization`. */
export type Problem = { path: string; message: string }

/** Collects problems, so that everything is checked before anything is written. */
export type Problems = { add(path: string, message: string): void; list: readonly Problem[] }

export function collectProblems(): Problems {
  const list: Problem[] = []
  return { list, add: (path, message) => list.push({ path, message }) }
}

/** An invalid bootstrap document; nothing of it was written. Values of the document are never quoted in full. */
export class BootstrapError extends ConfigurationError {
  readonly problems: readonly Problem[]

  /** @param source the file's path, or what else the document came from. */
  constructor(source: string, problems: readonly Problem[]) {
    const [first = { path: '', message: 'not usable' }, ...others] = problems
    const where = first.path ? `${first.path}: ` : ''
    const more = others.length > 0 ? ` (and ${others.length} more)` : ''
    super(`${source}: ${where}${first.message}${more}`)
    this.problems = problems
  }
}

/** What a plan was made from has changed before it was written: nothing was written, and the plan has to be made again. */
export class OutdatedPlanError extends Error {}

/** @throws BootstrapError if there are any. */
export function throwProblems(source: string, problems: Problems): void {
  if (problems.list.length > 0) throw new BootstrapError(source, problems.list)
}

/** `['users', 3, 'organization']` as `users[3].organization`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text ? `${text}.${String(part)}` : String(part)
  }, '')
}
