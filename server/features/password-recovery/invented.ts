import type { Platform } from '../../platform/platform.ts'
import { type Shape, sampleShapes } from './password-recovery.store.ts'

const SAMPLE = 256

/**
 * What a name that nobody has would have bound: always the same for one name, and of the kind that people here have, so that neither
 * asking twice nor looking closely tells who exists.
 */
export async function inventedShape(platform: Platform, name: string): Promise<Shape> {
  const sample = await platform.cache.read('recovery-shapes', 'all', async () => [
    ...(await sampleShapes(platform.sql, SAMPLE)),
  ])
  const luck = platform.secrets.mac(`invented recovery\n${name}`)
  const like = sample[luck.readUInt32BE(0) % Math.max(sample.length, 1)]
  if (!like) return { phone: null, mailbox: null, hasAnswers: false }
  return {
    phone: like.phone && otherPhone(like.phone, luck),
    mailbox: like.mailbox && otherMailbox(like.mailbox, luck),
    hasAnswers: like.hasAnswers,
  }
}

/** Its last digits are made up; the first ones are those of an operator. */
function otherPhone(phone: string, luck: Buffer): string {
  const digits = String(luck.readUInt32BE(4)).padStart(10, '0').slice(-4)
  return phone.length > 8 ? phone.slice(0, -4) + digits : phone.slice(0, -2) + digits.slice(-2)
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Its first character is made up; the domain is one in use. */
function otherMailbox(mailbox: string, luck: Buffer): string {
  const others = /^\d/.test(mailbox) ? '0123456789' : LETTERS
  return `${others[luck.readUInt32BE(8) % others.length]}${mailbox.slice(1)}`
}
