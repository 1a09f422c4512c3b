/**
 * Letters and digits drawn for this purpose as single strokes in a box 60 wide and 100 high, so that no font is needed, which a minimal
 * machine lacks. Easily confused ones are left out (0 O Q D, 1 I, 2 Z, 5 S, 8 B, 4 A, V, G, N). Commands: M move, L line, C cubic curve,
 * absolute.
 */
export const GLYPHS: Readonly<Record<string, string>> = {
  A: 'M0 100 L30 0 L60 100 M12 64 L48 64',
  C: 'M58 20 C48 -6 2 -10 2 50 C2 110 48 106 58 80',
  E: 'M54 2 L6 2 L6 98 L56 98 M6 48 L46 48',
  F: 'M56 2 L6 2 L6 100 M6 50 L46 50',
  H: 'M3 0 L3 100 M57 0 L57 100 M3 50 L57 50',
  J: 'M22 2 L54 2 M44 2 L44 66 C44 108 6 108 4 74',
  K: 'M6 0 L6 100 M54 0 L6 58 M22 40 L56 100',
  L: 'M8 0 L8 98 L56 98',
  M: 'M-4 100 L2 0 L30 66 L58 0 L64 100',
  P: 'M6 100 L6 2 L30 2 C66 2 66 56 30 56 L6 56',
  R: 'M6 100 L6 2 L30 2 C64 2 64 52 30 52 L6 52 M28 52 L56 100',
  T: 'M0 2 L60 2 M30 2 L30 100',
  U: 'M4 0 L4 62 C4 112 56 112 56 62 L56 0',
  W: 'M-8 0 L11 100 L30 30 L49 100 L68 0',
  X: 'M4 0 L56 100 M56 0 L4 100',
  Y: 'M2 0 L30 50 L58 0 M30 50 L30 100',
  3: 'M6 4 L52 4 L26 42 C64 38 64 100 28 99 C16 99 8 92 4 82',
  6: 'M50 4 C22 18 4 44 4 70 C4 108 56 108 56 70 C56 36 12 36 5 64',
  7: 'M4 2 L56 2 C38 34 26 66 22 100',
  9: 'M10 96 C38 82 56 56 56 30 C56 -8 4 -8 4 30 C4 64 48 64 55 36',
}

export const ALPHABET: string = Object.keys(GLYPHS).join('')

export type Point = { x: number; y: number }

/** The strokes of a path as points close enough together to be distorted. */
export function strokesOf(path: string): Point[][] {
  const strokes: Point[][] = []
  let at: Point = { x: 0, y: 0 }
  for (const [, command, rest = ''] of path.matchAll(/([MLC])([^MLC]*)/g)) {
    const n = rest.trim().split(/[ ,]+/).map(Number)
    const points: Point[] = []
    for (let i = 0; i + 1 < n.length; i += 2) points.push({ x: n[i] ?? 0, y: n[i + 1] ?? 0 })
    const end = points.at(-1) ?? at
    if (command === 'M') strokes.push([end])
    if (command === 'L') strokes.at(-1)?.push(...sampled(8, (t) => between(at, end, t)))
    if (command === 'C') {
      const from = at
      const [a = from, b = end] = points
      strokes.at(-1)?.push(...sampled(18, (t) => onCurve([from, a, b, end], t)))
    }
    at = end
  }
  return strokes
}

const sampled = (steps: number, at: (t: number) => Point): Point[] =>
  Array.from({ length: steps }, (_, i) => at((i + 1) / steps))

const between = (a: Point, b: Point, t: number): Point => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t })

function onCurve([a, b, c, d]: [Point, Point, Point, Point], t: number): Point {
  const [p, q, r] = [between(a, b, t), between(b, c, t), between(c, d, t)]
  return between(between(p, q, t), between(q, r, t), t)
}
