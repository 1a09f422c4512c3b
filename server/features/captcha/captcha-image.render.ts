import { errors } from '../../platform/errors.ts'
import { loadSharp } from '../../platform/sharp.ts'
import { drawPicture } from './captcha-picture.render.ts'
import type { Random } from './captcha-random.rules.ts'
import { drawScene, type PiecePosition } from './captcha-scene.render.ts'

/** Concurrent drawings in this process: in a flood, callers are told to wait before logins starve. */
const MAX_CONCURRENT_DRAWINGS = 24
let runningDrawings = 0

/** The text as a JPEG. @throws Refusal `service.busy` if too many drawings are in progress. */
export const renderPicture = (text: string, chance: Random): Promise<Buffer> =>
  withDrawingSlot(() => toJpeg(drawPicture(text, chance)))

/** The landscape and its piece as data URLs. @throws Refusal `service.busy` */
export async function renderScene(
  place: PiecePosition,
  chance: Random,
): Promise<{ background: string; piece: string }> {
  const { background, piece } = drawScene(place, chance)
  return await withDrawingSlot(async () => ({
    background: `data:image/jpeg;base64,${(await toJpeg(background)).toString('base64')}`,
    piece: `data:image/png;base64,${(await toPng(piece)).toString('base64')}`,
  }))
}

async function withDrawingSlot<T>(draw: () => Promise<T>): Promise<T> {
  if (runningDrawings >= MAX_CONCURRENT_DRAWINGS) throw errors['service.busy']({ retryAfter: 2 })
  runningDrawings += 1
  try {
    return await draw()
  } finally {
    runningDrawings -= 1
  }
}

const toJpeg = async (svg: string): Promise<Buffer> =>
  (await loadSharp())(Buffer.from(svg)).jpeg({ quality: 72 }).toBuffer()

const toPng = async (svg: string): Promise<Buffer> =>
  (await loadSharp())(Buffer.from(svg)).png({ palette: true }).toBuffer()
