import { PersonCreation } from '#shared/contract/created-people.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import { toValidPhone } from '#shared/rules/phone.ts'
import type { ThirdPartyIdentity } from '../../connectors/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { addressMac } from '../attempts/index.ts'
import {
  ConcurrentWriteError,
  type PersonFields,
  type PersonInput,
  problemReason,
  saveUsers,
} from '../people-save/index.ts'
import type { Provider } from '../third-party-providers/index.ts'
import { displayNameOf } from './pending-binding.service.ts'
import { errors } from './third-party-accounts.errors.ts'
import { bindAccount } from './third-party-accounts.service.ts'
import { type BoundAccount, findBoundAccount, isAnyNameKnown } from './third-party-accounts.store.ts'

/** People created per address in ten minutes: enough for a school behind one address on its first day, but no flood. */
const MAX_CREATED = 300
const CREATED_SECONDS = 600
const MAX_ATTEMPTS = 3

/** Phone and mailbox of a new person: only verified ones, because codes are sent there. */
const contactsOf = ({ claims, verified }: ThirdPartyIdentity): Pick<PersonFields, 'phone' | 'mailbox'> => ({
  // An invalid number is left out: a login must not fail because of it.
  ...(verified.includes('phone') && toValidPhone(claims.phone ?? '') && { phone: claims.phone ?? null }),
  ...(verified.includes('mailbox') && claims.mailbox && { mailbox: claims.mailbox }),
})

/**
 * May a person be created from this identity? Not if anything that it says about the person, verified or not, belongs to somebody here:
 * that is probably them, and they prove it by logging in.
 */
export async function mayBeCreated(ctx: Context, provider: Provider, { claims }: ThirdPartyIdentity): Promise<boolean> {
  if (provider.unbound !== 'create') return false
  const names = [claims.number, claims.phone, claims.mailbox].flatMap((name) =>
    name ? [canonicalLoginName(name)] : [],
  )
  return !(await isAnyNameKnown(ctx.db, names, claims.number ?? ''))
}

/**
 * Creates a person from an unlinked identity, by the settings of its provider, and links them.
 * @throws Refusal `third-party.not-created` with the reason, `third-party.too-many`
 */
export async function createPersonOf(
  ctx: Context,
  provider: Provider,
  identity: ThirdPartyIdentity,
): Promise<BoundAccount | null> {
  const address = `${provider.id} ${addressMac(ctx, ctx.client.ip).toString('base64')}`
  if ((await ctx.state.increment('third-party-created', address, CREATED_SECONDS)) > MAX_CREATED) {
    throw errors['third-party.too-many']({ retryAfter: CREATED_SECONDS })
  }
  const { realm, subject } = identity
  for (let tries = 1; ; tries++) {
    try {
      await transaction(ctx, async (inner) => {
        const userId = await savePerson(inner, provider, identity)
        await bindAccount(inner, provider, { userId, realm, subject, displayName: displayNameOf(identity) })
      })
    } catch (error) {
      // The same identity in a second window was faster: the person created there logs in.
      const bound = await findBoundAccount(ctx.db, { providerId: provider.id, realm, subject })
      if (bound) return bound
      if (error instanceof ConcurrentWriteError && tries < MAX_ATTEMPTS) continue
      throw error
    }
    return await findBoundAccount(ctx.db, { providerId: provider.id, realm, subject })
  }
}

async function savePerson(ctx: Context, provider: Provider, identity: ThirdPartyIdentity): Promise<string> {
  const { organizationId, categoryId, state, validDays } = PersonCreation.parse(provider.creates)
  const { claims } = identity
  const until = validDays === null ? null : new Date(ctx.now().getTime() + validDays * DAY_MS).toISOString()
  const person: PersonInput = {
    account: claims.number ?? `${provider.key.toLowerCase()}-${randomToken(10).toLowerCase()}`,
    name: displayNameOf(identity),
    ...contactsOf(identity),
    organizationId,
    categoryId,
    enabled: state !== 'disabled',
    validUntil: until,
  }
  const options = { mode: 'create', activated: state !== 'inactive', reason: provider.name } as const
  const [outcome] = await saveUsers(ctx, [person], options)
  if (outcome?.status === 'created' && outcome.id !== null) return outcome.id
  const problems = outcome?.problems ?? []
  const fields = problems.map(({ field, problem }) => `${field} ${problem}`)
  ctx.log.warn({ provider: provider.key, fields }, 'third-party person not created')
  const name = provider.names[ctx.client.language] ?? provider.name
  throw errors['third-party.not-created']({ params: { provider: name, reason: problemReason(ctx, problems) } })
}
