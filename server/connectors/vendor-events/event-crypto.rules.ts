import { createCipheriv, createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'

/** The token signs, the key encrypts; the receiver is the corporation or application that a message is for. */
export type EventSecrets = { token: string; aesKey: string; receiver: string }

/** Sent beside the encrypted message, in the address of a call or in an answer. */
export type Signed = { timestamp: string; nonce: string; encrypted: string }

/** The scheme shared by WeCom and DingTalk. */
const BLOCK = 32
const RANDOM_BYTES = 16
const LENGTH_BYTES = 4

export function signEvent(token: string, { timestamp, nonce, encrypted }: Signed): string {
  const text = [token, timestamp, nonce, encrypted].sort().join('')
  return createHash('sha1').update(text).digest('hex')
}

export function isSignedBy(token: string, signed: Signed, signature: string): boolean {
  const [expected, given] = [Buffer.from(signEvent(token, signed)), Buffer.from(signature)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

const keyOf = (aesKey: string): Buffer => Buffer.from(`${aesKey}=`, 'base64')

/** @param random 16 bytes. */
export function encryptEvent({ aesKey, receiver }: EventSecrets, message: string, random: Buffer): string {
  const key = keyOf(aesKey)
  const text = Buffer.from(message)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(text.length)
  const plain = Buffer.concat([random, length, text, Buffer.from(receiver)])
  const padding = BLOCK - (plain.length % BLOCK)
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, RANDOM_BYTES)).setAutoPadding(false)
  return Buffer.concat([cipher.update(plain), cipher.update(Buffer.alloc(padding, padding)), cipher.final()]).toString(
    'base64',
  )
}

/** @returns null: encrypted with another key, or for another receiver. */
export function decryptEvent({ aesKey, receiver }: EventSecrets, encrypted: string): string | null {
  const key = keyOf(aesKey)
  const bytes = Buffer.from(encrypted, 'base64')
  if (bytes.length === 0 || bytes.length % RANDOM_BYTES !== 0) return null
  const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, RANDOM_BYTES)).setAutoPadding(false)
  const padded = Buffer.concat([decipher.update(bytes), decipher.final()])
  // The vendors' own code pads to 32 bytes, some of it to 16.
  const padding = padded.at(-1) ?? 0
  const start = RANDOM_BYTES + LENGTH_BYTES
  if (padding < 1 || padding > BLOCK || padded.length - padding < start) return null
  const plain = padded.subarray(0, padded.length - padding)
  const end = start + plain.readUInt32BE(RANDOM_BYTES)
  if (end > plain.length || plain.toString('utf8', end) !== receiver) return null
  return plain.toString('utf8', start, end)
}
