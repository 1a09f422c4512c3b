export type FieldChange = {
  /** Path of names: `['names', 'en']`. */
  path: readonly string[]
  /** Undefined: the field is missing. */
  before: unknown
  after: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * The differing fields of two states, nested objects included, in the order of the later state. Lists are compared as a
 * whole.
 */
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

/** The entries of a list that the other one lacks; null if either is no list. */
export function onlyIn(value: unknown, other: unknown): unknown[] | null {
  if (!Array.isArray(value) || !(Array.isArray(other) || other === undefined || other === null)) return null
  const others = new Set((other ?? []).map((one: unknown) => JSON.stringify(one)))
  return value.filter((one) => !others.has(JSON.stringify(one)))
}
