import { createHash } from 'node:crypto'
import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import type { Platform } from '../../platform/platform.ts'
import { decoyHash } from './decoy-hash.service.ts'
import { canonicalPassword, isOutdated } from './hash-password.service.ts'
import { inHashPool } from './hash-pool.service.ts'

export type VerificationResult = {
  right: boolean
  /** Correct, but to be rehashed: another system's hash, or outdated parameters. */
  outdated: boolean
}

/** If there is nothing to verify: which hash it replaces, and for which name (see `decoyHash`). */
type DecoySource = { like: string | null; name: Buffer }

/**
 * Verifies a password against a stored hash. If there is none (unknown account, account without password, lock-out by failures) a hash that
 * no password matches is verified at the same cost, so that the response time reveals nothing.
 * @throws Refusal `service.busy` if too many are queued already.
 */
export async function verifyPassword(
  platform: Platform,
  plain: string,
  stored: string | DecoySource | null,
): Promise<VerificationResult> {
  const hash = typeof stored === 'string' ? stored : null
  const { like, name } = (typeof stored === 'string' ? null : stored) ?? { like: hash, name: ANY_NAME }
  // Computed for a real hash too: the first caller's wait must reveal nothing.
  const decoy = await decoyHash(platform, like, name)
  const right = await inHashPool('person', async () => {
    for (const form of passwordForms(plain)) if (await matchesHash(hash ?? decoy, form)) return hash !== null
    return false
  })
  return { right, outdated: right && hash !== null && isOutdated(platform, hash) }
}

const ANY_NAME = Buffer.alloc(4, 255)

/** Other systems hashed the raw input, we hash its canonical form; both are tried for every account. */
const passwordForms = (plain: string): Set<string> => new Set([canonicalPassword(plain), plain])

async function matchesHash(stored: string, plain: string): Promise<boolean> {
  if (stored.startsWith('$argon2')) return await verifyArgon2(stored, plain)
  // Bcrypt uses only 72 bytes; the argon2id hash that replaces it at this login uses all.
  if (stored.startsWith('$2')) return await verifyBcrypt(plain, stored)
  const [, scheme = '', salt = '', wrapped = ''] = /^wrapped:(ssha|md5|sm3):([^:]*):(.+)$/.exec(stored) ?? []
  if (!wrapped) throw new Error('a stored password hash is in no known form')
  return await verifyArgon2(wrapped, legacyDigestOf(scheme, salt, plain))
}

/** What an older system would have stored for this password, in lower-case hex; the counterpart of `importHash`. */
const legacyDigestOf = (scheme: string, salt: string, plain: string): string =>
  createHash(scheme === 'ssha' ? 'sha1' : scheme)
    .update(plain)
    .update(Buffer.from(salt, 'base64'))
    .digest('hex')
