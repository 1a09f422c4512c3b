import { hash, parseOptions } from '@node-rs/argon2'
import type { Platform } from '../../platform/platform.ts'
import { type HashPriority, inHashPool } from './hash-pool.service.ts'

/** The form in which a password is hashed and verified: two keyboards may encode one text differently. */
export const canonicalPassword = (plain: string): string => plain.normalize('NFKC')

/**
 * The argon2id PHC string of a secret typed by a person; never truncated.
 * @throws Refusal `service.busy`, with urgency `person` only.
 */
export const hashPassword = (
  platform: Platform,
  plain: string,
  urgency: HashPriority = 'background',
): Promise<string> => inHashPool(urgency, () => hash(canonicalPassword(plain), platform.config.passwordHashCost))

/** Do this hash's parameters differ from those that `hashPassword` uses now? */
export function isOutdated({ config }: Platform, stored: string): boolean {
  if (!stored.startsWith('$argon2id$')) return true
  const { memoryCost, timeCost, parallelism } = parseOptions(stored)
  const wanted = config.passwordHashCost
  return memoryCost !== wanted.memoryCost || timeCost !== wanted.timeCost || parallelism !== wanted.parallelism
}
