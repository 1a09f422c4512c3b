/** The value at a dotted path: `data.items`, `result.0.rows`; an empty path is the document itself. */
export function atPath(document: unknown, path: string): unknown {
  if (path === '') return document
  let current = document
  for (const step of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined
    current = (current as Record<string, unknown>)[step]
  }
  return current
}

/** Parses JSON, keeping numbers that a double can't represent as written: two long ids must not become one. */
export function parseExactly(text: string): unknown {
  const keepDigits = (_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined ? source : value
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown)
}

const MAX_DEPTH = 4
const MAX_COLUMNS = 256

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** A value as text; null: not a scalar. */
function toText(value: unknown): string | null {
  if (isScalar(value)) return String(value)
  return Array.isArray(value) ? value.filter(isScalar).join('|') : null
}

/** The scalars of a row by dotted names; several with one name are joined with `|`, what is deeper or missing is left out. */
export function flatten(row: unknown): Map<string, string> {
  const values = new Map<string, string>()
  addValues(values, row, { name: '', depth: 0 })
  return values
}

function addValues(
  values: Map<string, string>,
  value: unknown,
  { name, depth }: { name: string; depth: number },
): void {
  const text = toText(value)
  if (text !== null) values.set(name, text)
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
    for (const [key, one] of Object.entries(value).slice(0, MAX_COLUMNS))
      if (values.size < MAX_COLUMNS)
        addValues(values, one, { name: name === '' ? key : `${name}.${key}`, depth: depth + 1 })
}

export const toRow = (values: ReadonlyMap<string, string>, columns: readonly string[]): string[] =>
  columns.map((name) => values.get(name) ?? '')
