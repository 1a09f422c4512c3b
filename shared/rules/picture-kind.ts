/** The limits of an avatar, shown before choosing a file, and enforced by the server. */
export const AVATAR = { mostBytes: 2 * 1024 * 1024, side: 256, kinds: ['png', 'jpeg'] } as const

/** The limits of an application icon. */
export const APPLICATION_ICON = { mostBytes: 1024 * 1024, side: 128, kinds: ['png', 'jpeg', 'webp'] } as const

/** The limits of the picture next to the login form; larger ones are scaled down. */
export const THEME_PICTURE = { mostBytes: 6 * 1024 * 1024, side: 2000, kinds: ['png', 'jpeg', 'webp'] } as const

export type PictureKind = 'png' | 'jpeg' | 'webp'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]
const RIFF = [0x52, 0x49, 0x46, 0x46]
const WEBP = [0x57, 0x45, 0x42, 0x50]

const startsWithBytes = (bytes: Uint8Array, signature: readonly number[], at = 0) =>
  signature.every((byte, index) => bytes[at + index] === byte)

/** The kind of picture by its first bytes; a name or a declared type proves nothing. Null: not supported. */
export function pictureKind(bytes: Uint8Array): PictureKind | null {
  if (startsWithBytes(bytes, PNG)) return 'png'
  if (startsWithBytes(bytes, JPEG)) return 'jpeg'
  return startsWithBytes(bytes, RIFF) && startsWithBytes(bytes, WEBP, 8) ? 'webp' : null
}
