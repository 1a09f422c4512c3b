import { ALPHABET, GLYPHS, type Point, strokesOf } from './captcha-glyphs.rules.ts'
import { pickRandom, type Random, randomBetween } from './captcha-random.rules.ts'

const LENGTH = 5
const WIDTH = 320
const HEIGHT = 112
const INKS = ['#1b2433', '#1f4b99', '#8f3a25', '#1d5c3c', '#4a3a78'] as const
const GROUNDS = ['#f6f5f1', '#eef1f7', '#f4efe8', '#eef3ee'] as const

/** The characters of a new picture. */
export const newPictureText = (chance: Random): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[Math.floor(chance() * ALPHABET.length)]).join('')

/**
 * Draws the text as an SVG of 320 × 112: distorted glyphs, crossed by curves of the same colour so that colour does not separate the two.
 */
export function drawPicture(text: string, chance: Random): string {
  const bend = newBend(chance)
  const ink = pickRandom(chance, INKS)
  const cell = (WIDTH - 36) / text.length
  const glyphs = [...text].map((letter, i) => glyph(letter, 18 + cell * (i + 0.5), cell, ink, bend, chance))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${pickRandom(chance, GROUNDS)}"/>`,
    ...Array.from({ length: 3 }, () => hill(chance)),
    '<g fill="none" stroke-linecap="round" stroke-linejoin="round">',
    ...glyphs,
    ...Array.from({ length: 3 }, (_, i) => crossing(i, ink, chance)),
    '</g>',
    ...Array.from({ length: 46 }, () => speck(ink, chance)),
    '</svg>',
  ].join('')
}

type Bend = (point: Point) => Point

/** A gentle wave over the whole picture, different each time, so that no letter keeps its shape. */
function newBend(chance: Random): Bend {
  const waves = { x: randomBetween(chance, 2, 4.5), y: randomBetween(chance, 3, 7) }
  const length = { x: randomBetween(chance, 60, 90), y: randomBetween(chance, 75, 130) }
  const start = { x: randomBetween(chance, 0, 7), y: randomBetween(chance, 0, 7) }
  return ({ x, y }) => ({
    x: x + waves.x * Math.sin((y / length.x) * Math.PI + start.x),
    y: y + waves.y * Math.sin((x / length.y) * Math.PI + start.y),
  })
}

function glyph(letter: string, centre: number, cell: number, ink: string, bend: Bend, chance: Random): string {
  const size = randomBetween(chance, 0.62, 0.74)
  const turn = randomBetween(chance, -0.24, 0.24)
  const lean = randomBetween(chance, -0.12, 0.12)
  const stretch = randomBetween(chance, 0.92, 1.1)
  const middle = { x: centre + randomBetween(chance, -0.05, 0.05) * cell, y: HEIGHT / 2 + randomBetween(chance, -8, 8) }
  const place = ({ x, y }: Point): Point => {
    const flat = { x: (x - 30 + (50 - y) * lean) * size * stretch, y: (y - 50) * size }
    return bend({
      x: middle.x + flat.x * Math.cos(turn) - flat.y * Math.sin(turn),
      y: middle.y + flat.x * Math.sin(turn) + flat.y * Math.cos(turn),
    })
  }
  const width = randomBetween(chance, 5.2, 7.6).toFixed(1)
  const strokes = strokesOf(GLYPHS[letter] ?? '')
  return `<path d="${strokes.map((stroke) => line(stroke.map(place))).join('')}" stroke="${ink}" stroke-width="${width}"/>`
}

const line = (points: Point[]): string =>
  points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

/** A curve from edge to edge, in the letters' colour, thinner than they are. */
function crossing(nth: number, ink: string, chance: Random): string {
  const height = () => randomBetween(chance, 14, HEIGHT - 14).toFixed(0)
  const d = `M-4 ${height()}C${randomBetween(chance, 60, 120).toFixed(0)} ${height()} ${randomBetween(chance, 180, 260).toFixed(0)} ${height()} ${WIDTH + 4} ${height()}`
  return `<path d="${d}" stroke="${ink}" stroke-width="${nth === 0 ? 3.4 : 2.2}" opacity="${nth === 0 ? 0.9 : 0.6}"/>`
}

function hill(chance: Random): string {
  const height = () => randomBetween(chance, 20, HEIGHT).toFixed(0)
  const shade = pickRandom(chance, ['#c9d6ea', '#dfe6f1', '#ead9cb', '#d5e2d6'])
  return `<path d="M0 ${height()}C90 ${height()} 210 ${height()} ${WIDTH} ${height()}V${HEIGHT}H0Z" fill="${shade}" opacity=".55"/>`
}

function speck(ink: string, chance: Random): string {
  const [x, y, r] = [randomBetween(chance, 0, WIDTH), randomBetween(chance, 0, HEIGHT), randomBetween(chance, 0.8, 2)]
  return `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${r.toFixed(1)}" fill="${ink}" opacity=".55"/>`
}
