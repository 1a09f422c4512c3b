/** The value at a JSON pointer (RFC 6901); undefined if there is none. */
export function resolvePointer(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
  let current = document
  for (const step of pointer.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Record<string, unknown>)[name]
  }
  return current
}

/** A string or a number as text; '' for anything else. */
export function textAtPointer(document: unknown, pointer: string): string {
  const value = resolvePointer(document, pointer)
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : ''
}
