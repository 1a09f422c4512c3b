const MAX_SHOWN = 40

/** Enough to recognise the kind of value, not the person: its first character, its last one if it is longer, its length. */
export function maskValue(value: string): string {
  const signs = [...value.slice(0, MAX_SHOWN)]
  if (signs.length <= 1) return value
  const isLong = signs.length > 4
  const hidden = '*'.repeat(signs.length - (isLong ? 2 : 1))
  return `${signs[0]}${hidden}${isLong ? signs.at(-1) : ''}`
}
