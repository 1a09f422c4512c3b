import type { Platform } from '../../platform/platform.ts'
import { type RecoveryContacts, sampleRecoveryContacts } from './password-recovery.store.ts'

const SAMPLE_SIZE = 256

/**
 * The invented contacts of an unknown name: always the same for one name, and of the kinds that people here have, so that neither repeated
 * requests nor close inspection reveal who exists.
 */
export async function findDecoyContacts(platform: Platform, name: string): Promise<RecoveryContacts> {
  const sample = await platform.cache.read('recovery-shapes', 'all', async () => [
    ...(await sampleRecoveryContacts(platform.sql, SAMPLE_SIZE)),
  ])
  const digest = platform.secrets.mac(`invented recovery\n${name}`)
  const like = sample[digest.readUInt32BE(0) % Math.max(sample.length, 1)]
  if (!like) return { phone: null, mailbox: null, hasAnswers: false }
  return {
    phone: like.phone && disguisePhone(like.phone, digest),
    mailbox: like.mailbox && disguiseMailbox(like.mailbox, digest),
    hasAnswers: like.hasAnswers,
  }
}

/** Its last digits are invented; the first ones are an operator's. */
function disguisePhone(phone: string, digest: Buffer): string {
  const digits = String(digest.readUInt32BE(4)).padStart(10, '0').slice(-4)
  return phone.length > 8 ? phone.slice(0, -4) + digits : phone.slice(0, -2) + digits.slice(-2)
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Its first character is invented; the domain is one in use. */
function disguiseMailbox(mailbox: string, digest: Buffer): string {
  const others = /^\d/.test(mailbox) ? '0123456789' : LETTERS
  return `${others[digest.readUInt32BE(8) % others.length]}${mailbox.slice(1)}`
}
