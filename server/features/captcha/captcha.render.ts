import { errors } from '../../platform/errors.ts'
import { loadSharp } from '../../platform/sharp.ts'
import type { Chance } from './captcha.chance.ts'
import { drawPicture } from './captcha.picture.ts'
import { drawScene, type Place } from './captcha.scene.ts'

/** Drawings under way at once in this process: a flood is told to wait before it can starve the logins. */
const MOST_AT_ONCE = 24
let underWay = 0

/** The text as a JPEG. @throws Refusal `service.busy` when too many drawings are under way. */
export const renderPicture = (text: string, chance: Chance): Promise<Buffer> =>
  bounded(() => toJpeg(drawPicture(text, chance)))

/** The landscape and its piece as data URLs. @throws Refusal `service.busy` */
export async function renderScene(place: Place, chance: Chance): Promise<{ background: string; piece: string }> {
  const { background, piece } = drawScene(place, chance)
  return await bounded(async () => ({
    background: `data:image/jpeg;base64,${(await toJpeg(background)).toString('base64')}`,
    piece: `data:image/png;base64,${(await toPng(piece)).toString('base64')}`,
  }))
}

async function bounded<T>(draw: () => Promise<T>): Promise<T> {
  if (underWay >= MOST_AT_ONCE) throw errors['service.busy']({ retryAfter: 2 })
  underWay += 1
  try {
    return await draw()
  } finally {
    underWay -= 1
  }
}

const toJpeg = async (svg: string): Promise<Buffer> =>
  (await loadSharp())(Buffer.from(svg)).jpeg({ quality: 72 }).toBuffer()

const toPng = async (svg: string): Promise<Buffer> =>
  (await loadSharp())(Buffer.from(svg)).png({ palette: true }).toBuffer()
