/** What a JSON pointer (RFC 6901) points at; undefined when there is nothing. */
export function pointedAt(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
  let here = document
  for (const step of pointer.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined
    here = (here as Record<string, unknown>)[name]
  }
  return here
}

/** A text or a number as text; '' for anything else. */
export function textAt(document: unknown, pointer: string): string {
  const value = pointedAt(document, pointer)
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : ''
}
