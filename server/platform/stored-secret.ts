import { isDeepStrictEqual } from 'node:util'
import { SECRET_PLACEHOLDER } from '#shared/contract/message-gateways.ts'
import { errors } from './errors.ts'

/** A secret of some settings, and everything that says to whom it is sent: host, port, protocol, the account it belongs to. */
export type SentSecret = { secret: string; place: object }

/**
 * The secret to go on with, when a form may have stars in its place. A stored one is never sent to another place than the one it was
 * typed for: whoever may change settings must not learn it by pointing them at a host of their own.
 * @throws Refusal `settings.secret-needed`.
 */
export function resolveStoredSecret(given: SentSecret, stored: SentSecret | null): string {
  if (given.secret !== SECRET_PLACEHOLDER) return given.secret
  if (!stored || !isDeepStrictEqual(stored.place, given.place)) throw errors['settings.secret-needed']()
  return stored.secret
}
