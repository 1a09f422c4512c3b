import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { randomToken } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import { inHashPool } from './hash-pool.service.ts'
import { sampleHashKinds } from './passwords.store.ts'

const defaultKind = ({ config: { passwordHashCost: cost } }: Platform): string =>
  `m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}`

/** The part of a hash that determines how long verification takes: `$2b$10`, or `m=19456,t=2,p=1`. */
export const hashKind = (platform: Platform, stored: string): string =>
  /^\$2\w\$\d\d/.exec(stored)?.[0] ?? /m=\d+,t=\d+,p=\d+/.exec(stored)?.[0] ?? defaultKind(platform)

const decoys = new Map<string, Promise<string>>()
/** Far more kinds than any institution has; beyond it our own kind is used. */
const MAX_DECOYS = 50

/**
 * A hash that no password matches, to be verified if there is nothing to verify.
 * @param like the hash that it replaces.
 * @param name without `like`: random bytes that are always the same for one name. Unknown names get the kinds of hash in use, with the same
 *   frequencies: as long as some people still have a bcrypt hash of another system, the response time does not reveal whether an account
 *   exists.
 */
export async function decoyHash(platform: Platform, like: string | null, name: Buffer): Promise<string> {
  const shares = await platform.cache.read('password-kinds', 'all', () => sampleHashKinds(platform.sql))
  const own = defaultKind(platform)
  const kind = like === null ? (pickKind(shares, name.readUInt32BE(0) / 2 ** 32) ?? own) : hashKind(platform, like)
  const known = decoys.get(kind) ?? decoys.get(own)
  if (decoys.has(kind) || (known && decoys.size >= MAX_DECOYS)) return await (known as Promise<string>)
  const decoy = makeDecoy(kind)
  decoys.set(kind, decoy)
  decoy.catch(() => decoys.delete(kind))
  return await decoy
}

/** @param fraction from 0 to 1 */
function pickKind(shares: readonly { kind: string; share: number }[], fraction: number): string | null {
  let upTo = 0
  for (const { kind, share } of shares) {
    upTo += share
    if (fraction < upTo) return kind
  }
  return null
}

function makeDecoy(kind: string): Promise<string> {
  const secret = randomToken(32)
  const [, cost] = /^\$2\w\$(\d\d)/.exec(kind) ?? []
  if (cost) return inHashPool('person', () => bcrypt(secret, Number(cost)))
  const [memoryCost = 0, timeCost = 0, parallelism = 0] = kind.match(/\d+/g)?.map(Number) ?? []
  return inHashPool('person', () => argon2(secret, { memoryCost, timeCost, parallelism }))
}
