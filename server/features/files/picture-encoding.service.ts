import type { Sharp } from 'sharp'
import { type PictureKind, pictureKind } from '#shared/rules/picture-kind.ts'
import { Refusal } from '../../platform/errors.ts'
import { loadSharp } from '../../platform/sharp.ts'
import { errors } from './files.errors.ts'

/** As many as a phone's camera takes; decoded they take at most 100 MB, and only one picture is decoded at a time. */
const MAX_PIXELS = 25_000_000
const MAX_SECONDS = 5
const MAX_QUEUED = 8

/** A re-encoded picture: only pixels, in one format. */
export type EncodedPicture = { bytes: Buffer; contentType: 'image/png' | 'image/jpeg' }

type EncodingOptions = {
  side: number
  /** `inside` keeps the aspect ratio, `cover` crops to a square. */
  fit: 'inside' | 'cover'
  kinds: readonly PictureKind[]
  /** Large, and not transparent. */
  isPhotograph?: boolean
}

let queued = 0
let lastInQueue: Promise<unknown> = Promise.resolve()

/** For a caller that would otherwise read a whole upload first. @throws Refusal `file.busy` */
export function assertNotBusy(): void {
  if (queued >= MAX_QUEUED) throw errors['file.busy']({ retryAfter: 2 })
}

/**
 * Re-encodes a picture, so that only the picture survives: no metadata, no second format hidden in the same bytes. One at a time in a short
 * queue, so that pictures never starve logins. Never inside a transaction.
 * @throws Refusal `file.unreadable-picture`, `file.busy`.
 */
export async function reencodePicture(bytes: Buffer, options: EncodingOptions): Promise<EncodedPicture> {
  const kind = pictureKind(bytes)
  if (!kind || !options.kinds.includes(kind)) throw errors['file.unreadable-picture']()
  assertNotBusy()
  queued += 1
  const encoding = lastInQueue.then(() => resizePicture(bytes, kind, options))
  lastInQueue = encoding.catch(() => null)
  try {
    return await encoding
  } catch (error) {
    throw error instanceof Refusal ? error : errors['file.unreadable-picture']()
  } finally {
    queued -= 1
  }
}

async function resizePicture(
  bytes: Buffer,
  kind: PictureKind,
  { side, fit, isPhotograph = false }: EncodingOptions,
): Promise<EncodedPicture> {
  const sharp = await loadSharp()
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true, pages: 1 })
  const { format, width, height, hasAlpha } = await image.metadata()
  if (format !== kind || width * height > MAX_PIXELS) throw errors['file.unreadable-picture']()
  // Rotate first: the orientation is lost with the metadata.
  const small = image
    .timeout({ seconds: MAX_SECONDS })
    .rotate()
    .resize(side, side, {
      fit,
      withoutEnlargement: fit === 'inside',
    })
  if (isPhotograph) {
    return { bytes: await small.flatten().jpeg({ quality: 78, mozjpeg: true }).toBuffer(), contentType: 'image/jpeg' }
  }
  return encode(small, hasAlpha || fit === 'inside')
}

/** A photograph is a tenth as large as jpeg; what may be transparent stays png. */
async function encode(image: Sharp, exact: boolean): Promise<EncodedPicture> {
  return exact
    ? { bytes: await image.png().toBuffer(), contentType: 'image/png' }
    : { bytes: await image.jpeg({ quality: 88, mozjpeg: true }).toBuffer(), contentType: 'image/jpeg' }
}
