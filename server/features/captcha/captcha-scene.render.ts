import { pickRandom, type Random, randomBetween } from './captcha-random.rules.ts'

export const SCENE = { width: 320, height: 160 }
export const PIECE = { width: 52, height: 60 }

/** Where the piece belongs, in picture pixels. */
export type PiecePosition = { x: number; y: number }

/** Far enough from the start that the piece covers none of its target, and inside the picture. */
export const randomPosition = (chance: Random): PiecePosition => ({
  x: Math.round(randomBetween(chance, PIECE.width * 2, SCENE.width - PIECE.width - 14)),
  y: Math.round(randomBetween(chance, 14, SCENE.height - PIECE.height - 14)),
})

/** A small gate with a knob: the shape that is cut out of the picture. */
const PIECE_PATH = 'M4 57V29a17 17 0 0 1 13.5-16.6a8.6 8.6 0 1 1 17 0A17 17 0 0 1 48 29V57H34V43a8 8 0 0 0-16 0V57Z'

/** The landscape with the target marked, and the piece cut out of the same landscape, as two SVGs at twice the size. */
export function drawScene(place: PiecePosition, chance: Random): { background: string; piece: string } {
  const land = landscape(chance)
  const { width, height } = SCENE
  const cut = `<path d="${PIECE_PATH}" transform="translate(${place.x} ${place.y})"`
  const open = (box: string, w: number, h: number) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w * 2}" height="${h * 2}" viewBox="${box}">`
  return {
    background: `${open(`0 0 ${width} ${height}`, width, height)}${land}${cut} fill="#0d1420" fill-opacity=".42" stroke="#fff" stroke-opacity=".75" stroke-width="1.4"/></svg>`,
    piece: [
      open(`${place.x} ${place.y} ${PIECE.width} ${PIECE.height}`, PIECE.width, PIECE.height),
      `<clipPath id="cut">${cut}/></clipPath><g clip-path="url(#cut)">${land}</g>`,
      `${cut} fill="none" stroke="#0d1420" stroke-opacity=".5" stroke-width="3"/>`,
      `${cut} fill="none" stroke="#fff" stroke-width="1.6"/></svg>`,
    ].join(''),
  }
}

const SKIES = [
  ['#dfe7f3', '#f3efe6'],
  ['#cfe0ef', '#f6ece0'],
  ['#e6e3f1', '#f7efe4'],
  ['#d8e9e8', '#f4f0e2'],
] as const
const HILLS = ['#c6d4ea', '#a9bddd', '#8fa8cf', '#9fc0ad', '#7fa891', '#c9b7a6'] as const
const WALLS = ['#1f4b99', '#27406f', '#a8452c', '#7a5a3a', '#2e6b55'] as const
const LEAVES = ['#2f6b53', '#3c7d5c', '#50875a', '#7a8c3f', '#b0703a'] as const

/** Sky, sun, hills, gates and trees, never the same twice: a stored solution is useless. */
function landscape(chance: Random): string {
  const [top, bottom] = pickRandom(chance, SKIES)
  const ground = () => randomBetween(chance, SCENE.height - 46, SCENE.height - 6)
  return [
    `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`,
    `<rect width="${SCENE.width}" height="${SCENE.height}" fill="url(#sky)"/>`,
    sun(chance),
    ...Array.from({ length: 4 }, () => cloud(chance)),
    ...[62, 84, 106, 126].map((height) => ridge(height, chance)),
    ...Array.from({ length: 2 + Math.floor(chance() * 2) }, () =>
      gate(randomBetween(chance, 10, 270), ground(), chance),
    ),
    ...Array.from({ length: 6 + Math.floor(chance() * 4) }, () =>
      tree(randomBetween(chance, 0, 320), ground(), chance),
    ),
    ...Array.from({ length: 7 }, () => bird(chance)),
  ].join('')
}

const n = (value: number): string => value.toFixed(1)

function sun(chance: Random): string {
  const colour = pickRandom(chance, ['#f5d3ad', '#f2b8a0', '#f7e0a8', '#ffffff'])
  return `<circle cx="${n(randomBetween(chance, 20, 300))}" cy="${n(randomBetween(chance, 20, 70))}" r="${n(randomBetween(chance, 12, 24))}" fill="${colour}"/>`
}

function cloud(chance: Random): string {
  const [x, y, w] = [randomBetween(chance, 0, 320), randomBetween(chance, 8, 60), randomBetween(chance, 22, 56)]
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="8" rx="4" fill="#fff" opacity=".7"/>`
}

function ridge(height: number, chance: Random): string {
  const y = () => n(height + randomBetween(chance, -24, 24))
  return `<path d="M0 ${y()}C40 ${y()} 70 ${y()} 110 ${y()}S190 ${y()} 220 ${y()}S290 ${y()} 320 ${y()}V160H0Z" fill="${pickRandom(chance, HILLS)}"/>`
}

function gate(x: number, ground: number, chance: Random): string {
  const [w, h] = [randomBetween(chance, 30, 52), randomBetween(chance, 44, 76)]
  const [wall, path] = [pickRandom(chance, WALLS), pickRandom(chance, ['#c96f50', '#e0c9a6', '#8c98ad'])]
  const arch = (inset: number, top: number, fill: string) => {
    const r = w / 2 - inset
    return `<path d="M${n(x + inset)} ${n(ground)}V${n(ground - h + r + top)}a${n(r)} ${n(r)} 0 0 1 ${n(2 * r)} 0V${n(ground)}Z" fill="${fill}"/>`
  }
  const way = `<path d="M${n(x + w * 0.46)} ${n(ground - h * 0.42)}h${n(w * 0.08)}L${n(x + w * 0.66)} ${n(ground)}H${n(x + w * 0.34)}Z" fill="${path}"/>`
  const beam = `<rect x="${n(x - 2)}" y="${n(ground - h * 0.5)}" width="${n(w + 4)}" height="4" rx="1" fill="${wall}"/>`
  return arch(0, 0, wall) + beam + arch(w * 0.24, h * 0.2, '#f7efe2') + way
}

function tree(x: number, ground: number, chance: Random): string {
  const [w, h] = [randomBetween(chance, 7, 14), randomBetween(chance, 12, 22)]
  const trunk = `<rect x="${n(x - 1.3)}" y="${n(ground - 12)}" width="2.6" height="14" fill="#5b4632"/>`
  return `<ellipse cx="${n(x)}" cy="${n(ground - 8 - h * 0.6)}" rx="${n(w)}" ry="${n(h)}" fill="${pickRandom(chance, LEAVES)}"/>${trunk}`
}

function bird(chance: Random): string {
  const [x, y] = [randomBetween(chance, 10, 305), randomBetween(chance, 10, 90)]
  return `<path d="M${n(x)} ${n(y)}q3-4 5 0q2-4 5 0" fill="none" stroke="#1b2433" stroke-width="1.1" opacity=".6"/>`
}
