import { parseOptions } from '@node-rs/argon2'
import type { Platform } from '../../platform/platform.ts'
import { hashPassword } from './hash-password.service.ts'
import type { HashPriority } from './hash-pool.service.ts'

/** A fast hash of an older system, parsed: the digest in lower-case hex, and the salt in base64 if there is one. */
type LegacyDigest = { scheme: 'ssha' | 'md5' | 'sm3'; salt: string; digest: string }

const ARGON2ID = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,88}\$[A-Za-z0-9+/]{16,88}$/
/** 22 characters of salt and 31 of digest; the last one of each carries only 2 and 4 bits, so it is one of 4 and of 16. */
const BCRYPT = /^\$2[aby]\$(0[4-9]|1[0-6])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/

/** A file with hashes of higher cost could slow down every login. */
const isAffordable = ([, memory, passes, lanes]: RegExpExecArray) =>
  Number(memory) >= 8 && Number(memory) <= 262_144 && Number(passes) >= 1 && Number(passes) <= 16 && Number(lanes) >= 1

const isStorableAsIs = (text: string): boolean => {
  const argon2id = ARGON2ID.exec(text)
  if (argon2id) return isAffordable(argon2id) && isDecodable(() => parseOptions(text))
  return BCRYPT.test(text)
}

/** Base64 with stray bits looks valid and can't be decoded. */
function isDecodable(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}

function parseLegacyDigest(text: string): LegacyDigest | null {
  const hex = /^\{(MD5|SM3)\}([0-9a-f]+)$/i.exec(text)
  if (hex) {
    const scheme = hex[1]?.toLowerCase() === 'md5' ? 'md5' : 'sm3'
    const digest = (hex[2] ?? '').toLowerCase()
    return digest.length === (scheme === 'md5' ? 32 : 64) ? { scheme, salt: '', digest } : null
  }
  const salted = /^\{SSHA\}([A-Za-z0-9+/]+={0,2})$/i.exec(text)
  const bytes = Buffer.from(salted?.[1] ?? '', 'base64')
  // SHA-1, followed by the salt that was appended to the password.
  if (bytes.length <= 20 || bytes.length > 84) return null
  return { scheme: 'ssha', salt: bytes.subarray(20).toString('base64'), digest: bytes.subarray(0, 20).toString('hex') }
}

/** Does `importHash` accept this: $argon2id$…, $2a$/$2b$/$2y$…, {SSHA}base64, {MD5}hex or {SM3}hex? */
export const isImportableHash = (text: string): boolean => isStorableAsIs(text) || parseLegacyDigest(text) !== null

/**
 * The form in which another system's password hash is stored: argon2id and bcrypt unchanged, fast ones as `wrapped:<ssha|md5|sm3>:<salt,
 * base64>:<argon2id of the lower-case hex digest>`, so that none is stored raw.
 * @throws Error for what `isImportableHash` rejects.
 */
export async function importHash(
  platform: Platform,
  text: string,
  urgency: HashPriority = 'background',
): Promise<string> {
  if (isStorableAsIs(text)) return text
  const legacy = parseLegacyDigest(text)
  if (!legacy) throw new Error('not a password hash that can be imported')
  return `wrapped:${legacy.scheme}:${legacy.salt}:${await hashPassword(platform, legacy.digest, urgency)}`
}
