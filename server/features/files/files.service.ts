import { v7 } from 'uuid'
import type { Context } from '../../platform/platform.ts'
import { errors } from './files.errors.ts'
import { insertFile } from './files.store.ts'

/** Pictures that anyone may see: they stand on pages before anyone has logged in. */
export const PUBLIC_PURPOSES = ['institution'] as const

/** Far above any camera, far below what would fill the memory when unpacked. */
const MOST_PIXELS = 40_000_000

/**
 * Paints a picture anew as png within `side` × `side` pixels, so that nothing but the picture survives: no metadata, no
 * second format hidden in the same bytes. Takes its time: never inside a transaction.
 * @throws Refusal `file.unreadable-picture` for anything but png, jpg and webp by content.
 */
export async function repaint(bytes: Buffer, side: number): Promise<Buffer> {
  // Loaded at the first picture: it costs 40 ms that no start needs.
  const { default: sharp } = await import('sharp')
  try {
    const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    const { format } = await image.metadata()
    if (format !== 'png' && format !== 'jpeg' && format !== 'webp') throw errors['file.unreadable-picture']()
    return await image.rotate().resize(side, side, { fit: 'inside', withoutEnlargement: true }).png().toBuffer()
  } catch {
    throw errors['file.unreadable-picture']()
  }
}

type Picture = { purpose: (typeof PUBLIC_PURPOSES)[number]; png: Buffer; ownerId?: string }

/** Stores a repainted picture. @returns its id. */
export async function savePicture(ctx: Context, { purpose, png, ownerId }: Picture): Promise<string> {
  const id = v7()
  const file = { id, purpose, ownerId: ownerId ?? null, contentType: 'image/png', bytes: png, at: ctx.now() }
  await insertFile(ctx.db, file)
  return id
}

/** Where a browser finds a stored file. */
export const addressOf = (id: string): string => `/auth_service/auth_files/preview_file/${id}`
