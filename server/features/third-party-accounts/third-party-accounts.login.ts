import type { FastifyRequest } from 'fastify'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { ThirdPartyIdentity } from '../../connectors/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import { Refusal } from '../../platform/errors.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { browserOf } from '../sessions/index.ts'
import { type Provider, providerInUse } from '../third-party-providers/index.ts'
import { errors } from './third-party-accounts.errors.ts'
import { endFlow, type Flow, identityOf } from './third-party-accounts.flow.ts'
import { displayNameOf, keepPending } from './third-party-accounts.pending.ts'
import { bind } from './third-party-accounts.service.ts'
import { type Bound, findBound, findMatching, touchAccount } from './third-party-accounts.store.ts'

const PROOF = 'third-party-proof'
/** A redirect takes no longer. */
const PROOF_SECONDS = 60

type Proof = { flow: Flow; identity: ThirdPartyIdentity }

/** How a callback goes on. */
export type CameBack =
  | { kind: 'login'; proof: string }
  | { kind: 'bind'; pending: string }
  | { kind: 'refused'; refusal: Refusal; purpose: Flow['purpose'] }

/**
 * The end of a trip to a provider: whoever came back is kept for the next step, in this browser alone.
 * @throws Refusal `third-party.flow-invalid`, `third-party.unknown`: there was no such trip.
 */
export async function comeBack(ctx: Context, request: FastifyRequest, key: string): Promise<CameBack> {
  const ended = await endFlow(ctx, request, key)
  const { flow } = ended
  const { purpose } = flow
  try {
    const identity = await identityOf(ctx, ended)
    if (purpose.kind === 'bind') {
      const { userId, ssoSessionId } = purpose
      const begunBy = { userId, ssoSessionId }
      return { kind: 'bind', pending: await keepPending(ctx, flow, identity, { begunBy }) }
    }
    const proof = randomToken(32)
    await ctx.state.put(PROOF, proof, { flow, identity } satisfies Proof, PROOF_SECONDS)
    return { kind: 'login', proof }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { kind: 'refused', refusal: error, purpose }
  }
}

export type Arrival = {
  provider: Provider
  service: string | null
  method: 'GET' | 'POST'
  /** Who is bound to the identity; null: nobody. */
  bound: Bound | null
  /** How the provider calls the person. */
  displayName: string
  flow: Flow
  identity: ThirdPartyIdentity
}

/**
 * Spends what `comeBack` kept for a login, and looks up who that is here, at this moment.
 * @throws Refusal `third-party.flow-invalid`, `third-party.unknown`
 */
export async function arrivalOf(ctx: Context, request: FastifyRequest, code: string): Promise<Arrival> {
  const proof = /^\w{32}$/.test(code) ? await ctx.state.take<Proof>(PROOF, code) : null
  if (proof?.flow.purpose.kind !== 'login' || proof.flow.browser !== browserOf(ctx.config, request)) {
    throw errors['third-party.flow-invalid']()
  }
  const { flow, identity } = proof
  const { service, method } = proof.flow.purpose
  const provider = await providerInUse(ctx, { id: flow.providerId })
  const wanted = { providerId: provider.id, realm: identity.realm, subject: identity.subject }
  const bound = (await findBound(ctx.db, wanted)) ?? (await matched(ctx, provider, identity))
  return { provider, service, method, bound, displayName: displayNameOf(identity), flow, identity }
}

/** Notes that a binding was good for a login. */
export const noteUse = async (ctx: Context, { id }: Bound): Promise<void> => {
  await touchAccount(ctx.db, id, ctx.now())
}

/** The offer to log in with the password and bind. @param next where the person wanted to go. */
export const offerBinding = (ctx: Context, { flow, identity }: Arrival, next: string | null): Promise<string> =>
  keepPending(ctx, flow, identity, { next })

/** What a provider may be believed for, by the setting that an administrator switched on; a phone or mailbox only when verified. */
function believed({ matchBy }: Provider, { claims, verified }: ThirdPartyIdentity) {
  const said = { account: claims.number, phone: claims.phone, mailbox: claims.mailbox }
  return matchBy.flatMap((kind) => {
    const value = said[kind]
    const isProven = kind === 'account' || verified.includes(kind)
    return value && isProven ? [{ kind, canonical: canonicalLoginName(value) }] : []
  })
}

/** Binds the one person that a trusted provider names; null when it names nobody, or not the same person with everything it says. */
async function matched(ctx: Context, provider: Provider, identity: ThirdPartyIdentity): Promise<Bound | null> {
  const found = new Set<string>()
  for (const question of believed(provider, identity)) {
    const userId = await findMatching(ctx.db, { providerId: provider.id, ...question, now: ctx.now() })
    if (userId) found.add(userId)
  }
  const [userId, other] = found
  if (userId === undefined || other !== undefined) return null
  const { realm, subject } = identity
  const binding = { userId, realm, subject, displayName: displayNameOf(identity) }
  try {
    await transaction(ctx, (inner) => bind(inner, provider, binding))
  } catch (error) {
    // Somebody was faster: what they made of it counts.
    if (!(error instanceof Refusal)) throw error
  }
  return await findBound(ctx.db, { providerId: provider.id, realm, subject })
}
