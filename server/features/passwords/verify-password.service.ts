import { createHash } from 'node:crypto'
import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import type { Platform } from '../../platform/platform.ts'
import { decoyHash } from './decoy-hash.service.ts'
import { canonicalPassword, isOutdated } from './hash-password.service.ts'
import { inHashPool } from './hash-pool.service.ts'

export type VerificationResult = {
  right: boolean
  /** Right, but to be hashed anew: another system's hash, or other parameters than today's. */
  outdated: boolean
}

/** Where there is nothing to compare: in whose place, and for which name (see `decoyHash`). */
type DecoySource = { like: string | null; name: Buffer }

/**
 * Compares a password with a stored hash. Where there is none to compare (unknown account, account without password, lock by
 * failures) one that nobody's password fits is compared, at the same cost, so that the time tells nothing.
 * @throws Refusal `service.busy` when too many are waiting already.
 */
export async function verifyPassword(
  platform: Platform,
  plain: string,
  stored: string | DecoySource | null,
): Promise<VerificationResult> {
  const hash = typeof stored === 'string' ? stored : null
  const { like, name } = (typeof stored === 'string' ? null : stored) ?? { like: hash, name: ANY_NAME }
  // Made for a real hash too: who comes first must not be told by the wait.
  const decoy = await decoyHash(platform, like, name)
  const right = await inHashPool('person', async () => {
    for (const form of passwordForms(plain)) if (await matchesHash(hash ?? decoy, form)) return hash !== null
    return false
  })
  return { right, outdated: right && hash !== null && isOutdated(platform, hash) }
}

const ANY_NAME = Buffer.alloc(4, 255)

/** Other systems hashed what was typed, we hash its canonical form; both are tried for every account alike. */
const passwordForms = (plain: string): Set<string> => new Set([canonicalPassword(plain), plain])

async function matchesHash(stored: string, plain: string): Promise<boolean> {
  if (stored.startsWith('$argon2')) return await verifyArgon2(stored, plain)
  // Bcrypt reads 72 bytes; the argon2id hash that replaces it at this very login reads all.
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
