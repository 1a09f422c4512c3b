import type { ReadingChoices } from '#shared/rules/reading-choices.ts'

type PointerColour = Exclude<ReadingChoices['mouse'], 'normal'>

const POINTER_STYLES: Record<PointerColour, { fill: string; edge: string; side: number }> = {
  black: { fill: '#000', edge: '#fff', side: 48 },
  white: { fill: '#fff', edge: '#000', side: 48 },
  yellow: { fill: '#ffe600', edge: '#000', side: 64 },
}

/** Drawn on a grid of 24, each with its hotspot and the fallback cursor. */
const POINTERS = {
  arrow: { path: 'M4 2v18l5-4.5 3.200 6.500 2.800-1.300-3.100-6.300h6.600z', x: 4, y: 2, instead: 'default' },
  hand: {
    path: 'M8 3.500a1.800 1.800 0 0 1 3.600 0V10h1V8.500a1.700 1.700 0 0 1 3.400 0V11h.6v-1a1.700 1.700 0 0 1 3.400 0v6c0 3.500-2.500 6-6 6h-1.500c-2 0-3.500-1-4.500-2.500L4 14.500c-1.200-2 1-3.500 2.500-2L8 14z',
    x: 9.8,
    y: 2,
    instead: 'pointer',
  },
  text: {
    path: 'M8 2h3l1 .8 1-.8h3v2.500h-2.500V19.500H16V22h-3l-1-.8-1 .8H8v-2.500h2.500V4.500H8z',
    x: 12,
    y: 12,
    instead: 'text',
  },
} as const

/**
 * Drawn on a canvas, because not every browser accepts an svg cursor. @returns a function that restores the originals.
 */
export function applyPointers(colour: PointerColour): () => void {
  const { style } = document.documentElement
  for (const [name, pointer] of Object.entries(POINTERS)) {
    style.setProperty(`--reading-${name}`, renderCursor(pointer, POINTER_STYLES[colour]))
  }
  return () => {
    for (const name of Object.keys(POINTERS)) style.removeProperty(`--reading-${name}`)
  }
}

type Pointer = (typeof POINTERS)[keyof typeof POINTERS]

function renderCursor(
  { path, x, y, instead }: Pointer,
  { fill, edge, side }: (typeof POINTER_STYLES)[PointerColour],
): string {
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const pen = canvas.getContext('2d')
  if (!pen) return instead
  const scale = side / 24
  pen.scale(scale, scale)
  const shape = new Path2D(path)
  pen.lineJoin = 'round'
  pen.lineWidth = 2
  pen.strokeStyle = edge
  pen.stroke(shape)
  pen.fillStyle = fill
  pen.fill(shape)
  return `url(${canvas.toDataURL()}) ${Math.round(x * scale)} ${Math.round(y * scale)}, ${instead}`
}
