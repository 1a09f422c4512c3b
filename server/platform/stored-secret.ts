import { isDeepStrictEqual } from 'node:util'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { errors } from './errors.ts'

/** A secret of some settings, and everything that determines where it is sent: host, port, protocol, account. */
export type SentSecret = { secret: string; destination: object }

/**
 * The secret to use when a form may contain a mask instead. A stored one is never sent to another destination than the one it was entered for:
 * whoever may change settings must not learn it by pointing them at their own host. A form shows the refusal at `field`.
 * @throws Refusal `settings.secret-needed`.
 */
export function resolveStoredSecret(given: SentSecret, stored: SentSecret | null, field?: string): string {
  if (given.secret !== SECRET_PLACEHOLDER) return given.secret
  if (!stored || !isDeepStrictEqual(stored.destination, given.destination))
    throw errors['settings.secret-needed'](field === undefined ? {} : { data: { fields: [field] } })
  return stored.secret
}
