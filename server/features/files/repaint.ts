import type { Sharp } from 'sharp'
import { type PictureKind, pictureKind } from '#shared/rules/picture-kind.ts'
import { Refusal } from '../../platform/errors.ts'
import { loadSharp } from '../../platform/sharp.ts'
import { errors } from './files.errors.ts'

/** As many as a phone's camera makes; unpacked they take 100 MB at the very worst, and only one picture is unpacked at a time. */
const MOST_PIXELS = 25_000_000
const MOST_SECONDS = 5
const MOST_WAITING = 8

/** What a repainted picture is: nothing but pixels, in one format. */
export type Painted = { bytes: Buffer; contentType: 'image/png' | 'image/jpeg' }

type Wish = {
  side: number
  /** `inside` keeps the shape, `cover` makes a square and cuts off what stands out. */
  fit: 'inside' | 'cover'
  kinds: readonly PictureKind[]
}

let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/** For a caller that would otherwise read a whole upload first. @throws Refusal `file.busy` */
export function refuseWhenBusy(): void {
  if (waiting >= MOST_WAITING) throw errors['file.busy']({ retryAfter: 2 })
}

/**
 * Paints a picture anew, so that nothing but the picture survives: no metadata, no second format hidden in the same bytes.
 * One at a time in a short queue, so that pictures never starve logins. Never inside a transaction.
 * @throws Refusal `file.unreadable-picture`, `file.busy`.
 */
export async function repaint(bytes: Buffer, wish: Wish): Promise<Painted> {
  const kind = pictureKind(bytes)
  if (!kind || !wish.kinds.includes(kind)) throw errors['file.unreadable-picture']()
  refuseWhenBusy()
  waiting += 1
  const turn = last.then(() => paint(bytes, kind, wish))
  last = turn.catch(() => null)
  try {
    return await turn
  } catch (error) {
    throw error instanceof Refusal ? error : errors['file.unreadable-picture']()
  } finally {
    waiting -= 1
  }
}

async function paint(bytes: Buffer, kind: PictureKind, { side, fit }: Wish): Promise<Painted> {
  const sharp = await loadSharp()
  const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true, pages: 1 })
  const { format, width, height, hasAlpha } = await image.metadata()
  if (format !== kind || width * height > MOST_PIXELS) throw errors['file.unreadable-picture']()
  // Upright first: the orientation goes with the metadata.
  const small = image
    .timeout({ seconds: MOST_SECONDS })
    .rotate()
    .resize(side, side, {
      fit,
      withoutEnlargement: fit === 'inside',
    })
  return encode(small, hasAlpha || fit === 'inside')
}

/** A photograph is a tenth as large as jpeg; what may be see-through stays png. */
async function encode(image: Sharp, exact: boolean): Promise<Painted> {
  return exact
    ? { bytes: await image.png().toBuffer(), contentType: 'image/png' }
    : { bytes: await image.jpeg({ quality: 88, mozjpeg: true }).toBuffer(), contentType: 'image/jpeg' }
}
