import { hash, parseOptions } from '@node-rs/argon2'
import type { Platform } from '../../platform/platform.ts'
import { inHashPool, type Urgency } from './hash-pool.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; 8 to 14 ms. */
export const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The form in which a password is hashed and compared: two keyboards may write one text in two ways. */
export const canonicalPassword = (plain: string): string => plain.normalize('NFKC')

/**
 * The argon2id PHC string of a secret that a person types; whole, never cut.
 * @throws Refusal `service.busy`, with urgency `person` only.
 */
export const hashPassword = (_platform: Platform, plain: string, urgency: Urgency = 'background'): Promise<string> =>
  inHashPool(urgency, () => hash(canonicalPassword(plain), ARGON2ID))

/** Was this hash made otherwise than `hashPassword` makes it now? */
export function isOutdated(stored: string): boolean {
  if (!stored.startsWith('$argon2id$')) return true
  const options = parseOptions(stored)
  return (
    options.memoryCost !== ARGON2ID.memoryCost || options.timeCost !== ARGON2ID.timeCost || options.parallelism !== 1
  )
}
