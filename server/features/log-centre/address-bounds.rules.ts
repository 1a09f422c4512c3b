/** The first and the last of a range of addresses. */
type Bounds = readonly [first: string, last: string]

type Family = { separator: string; parts: number; part: RegExp; radix: number; max: number; digits: number }

const V4: Family = { separator: '.', parts: 4, part: /^\d{1,3}$/, radix: 10, max: 0xff, digits: 3 }
const V6: Family = { separator: ':', parts: 8, part: /^[\da-f]{1,4}$/, radix: 16, max: 0xffff, digits: 4 }
const EVERYTHING: readonly Bounds[] = [
  ['0.0.0.0', '255.255.255.255'],
  ['::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
]

/** The numbers whose digits begin with these, as ranges: `7` stands for 7 and 70 to 79. */
function numbersFrom(begin: string, { radix, max, digits }: Family): (readonly [number, number])[] {
  const first = Number.parseInt(begin, radix)
  return Array.from({ length: digits - begin.length + 1 }, (_, more) => {
    const factor = radix ** more
    return [first * factor, Math.min(first * factor + factor - 1, max)] as const
  }).filter(([from], more) => from <= max && (from > 0 || more === 0))
}

function toBounds(first: readonly number[], last: readonly number[], { separator, parts, radix, max }: Family): Bounds {
  const fill = (numbers: readonly number[], rest: number) =>
    Array.from({ length: parts }, (_, at) => (numbers[at] ?? rest).toString(radix)).join(separator)
  return [fill(first, 0), fill(last, max)]
}

function boundsIn(beginning: string, family: Family): Bounds[] {
  const { separator, parts, part: pattern, radix, max } = family
  const [start = ''] = beginning.split(separator.repeat(2))
  const written = start.split(separator)
  // Before `::` the last part is complete.
  const partial = start === beginning ? (written.pop() ?? '') : ''
  const whole = written.filter(Boolean)
  if (![...whole, partial].filter(Boolean).every((part) => pattern.test(part))) return []
  const complete = whole.map((part) => Number.parseInt(part, radix))
  if (complete.length >= parts || complete.some((number) => number > max)) return []
  if (partial === '') return [toBounds(complete, complete, family)]
  return numbersFrom(partial, family).map(([from, to]) => toBounds([...complete, from], [...complete, to], family))
}

/** The ranges that contain every address whose text begins so; none if no address does. */
export function boundsOf(beginning: string): readonly Bounds[] {
  if (beginning === '') return EVERYTHING
  // Only the other family leaves parts out.
  if (/^\.|\.\./.test(beginning)) return []
  return [...boundsIn(beginning, V4), ...boundsIn(beginning, V6)]
}
