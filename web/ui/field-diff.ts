export type FieldChange = {
  /** Names from the outside in: `['names', 'en']`. */
  path: readonly string[]
  /** Undefined: the field is not there. */
  before: unknown
  after: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The fields in which two states differ, deep into objects, in the order of the later state. Lists are compared as a whole. */
export function fieldDiff(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
  above: readonly string[] = [],
): FieldChange[] {
  const names = new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})])
  return [...names].flatMap((name): FieldChange[] => {
    const path = [...above, name]
    const change = { path, before: before?.[name], after: after?.[name] }
    if (same(change.before, change.after)) return []
    const nested = [change.before, change.after].some(isObject)
    const shallow = [change.before, change.after].every(
      (value) => isObject(value) || value === undefined || value === null,
    )
    if (!nested || !shallow) return [change]
    return fieldDiff(objectOr(change.before), objectOr(change.after), path)
  })
}

const objectOr = (value: unknown): Record<string, unknown> | null => (isObject(value) ? value : null)

/** What of a list is only here, in the other state's absence; null when either is no list. */
export function onlyIn(value: unknown, other: unknown): unknown[] | null {
  if (!Array.isArray(value) || !(Array.isArray(other) || other === undefined || other === null)) return null
  const others = new Set((other ?? []).map((one: unknown) => JSON.stringify(one)))
  return value.filter((one) => !others.has(JSON.stringify(one)))
}
