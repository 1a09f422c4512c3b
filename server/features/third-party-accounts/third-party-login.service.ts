import type { FastifyRequest } from 'fastify'
import type { TicketMethod } from '#shared/contract/sign-in.ts'
import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { ThirdPartyIdentity } from '../../connectors/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import { Refusal } from '../../platform/errors.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { browserIdOf } from '../sessions/index.ts'
import { type Provider, requireProvider } from '../third-party-providers/index.ts'
import { displayNameOf, savePendingBinding } from './pending-binding.service.ts'
import { createPersonOf, mayBeCreated } from './person-creation.service.ts'
import { finishFlow, type ProviderFlow, requestIdentity, startFlow } from './provider-flow.service.ts'
import { errors } from './third-party-accounts.errors.ts'
import { bindAccount } from './third-party-accounts.service.ts'
import {
  type BoundAccount,
  findBoundAccount,
  findMatchingPerson,
  type IdentityKey,
  renameIdentity,
  touchAccount,
} from './third-party-accounts.store.ts'

const PROOF = 'third-party-proof'
/** A redirect takes no longer. */
const PROOF_SECONDS = 60

/** Somebody who reads a page and decides. */
const OFFER_SECONDS = 600

type Proof = {
  flow: ProviderFlow
  identity: ThirdPartyIdentity
  /** They have said that they are nobody here yet. */
  isAsked?: boolean
}

/** How a callback goes on. */
export type CallbackResult =
  | { kind: 'login'; proof: string }
  | { kind: 'bind'; pending: string }
  /** The login has run out at the provider: to be made once more. */
  | { kind: 'again'; address: string }
  | { kind: 'refused'; refusal: Refusal; purpose: ProviderFlow['purpose'] }

/**
 * The end of a trip to a provider: whoever came back is kept for the next step, in this browser alone.
 * @throws Refusal `third-party.flow-invalid`, `third-party.unknown`: there was no such trip.
 */
export async function handleCallback(ctx: Context, request: FastifyRequest, key: string): Promise<CallbackResult> {
  const callback = await finishFlow(ctx, request, key)
  const { flow } = callback
  const { purpose } = flow
  try {
    const identity = await requestIdentity(ctx, callback)
    if (!identity) {
      const anew = { browser: flow.browser, purpose, isSecond: true }
      return { kind: 'again', address: await startFlow(ctx, callback.provider, anew) }
    }
    if (purpose.kind === 'bind') {
      const { userId, ssoSessionId } = purpose
      const begunBy = { userId, ssoSessionId }
      return { kind: 'bind', pending: await savePendingBinding(ctx, flow, identity, { begunBy }) }
    }
    const proof = randomToken(32)
    await ctx.state.put(PROOF, proof, { flow, identity } satisfies Proof, PROOF_SECONDS)
    return { kind: 'login', proof }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { kind: 'refused', refusal: error, purpose }
  }
}

export type ThirdPartyLogin = {
  provider: Provider
  service: string | null
  method: TicketMethod
  /** Who is bound to the identity; null: nobody. */
  bound: BoundAccount | null
  /** Nobody is bound, and a person may be made of the identity when they ask for it. */
  mayCreate: boolean
  flow: ProviderFlow
  identity: ThirdPartyIdentity
}

/**
 * Spends what `handleCallback` kept for a login, and looks up who that is here, at this moment.
 * @throws Refusal `third-party.flow-invalid`, `third-party.unknown`, `third-party.not-created`, `third-party.too-many`
 */
export async function redeemLoginProof(ctx: Context, request: FastifyRequest, code: string): Promise<ThirdPartyLogin> {
  const proof = /^\w{32}$/.test(code) ? await ctx.state.take<Proof>(PROOF, code) : null
  if (proof?.flow.purpose.kind !== 'login' || proof.flow.browser !== browserIdOf(ctx.config, request)) {
    throw errors['third-party.flow-invalid']()
  }
  const { flow, identity } = proof
  const { service, method } = proof.flow.purpose
  const provider = await requireProvider(ctx, { id: flow.providerId })
  const key = { providerId: provider.id, realm: identity.realm, subject: identity.subject }
  const known =
    (await findBoundAccount(ctx.db, key)) ??
    (await followFormerIdentity(ctx, key, identity)) ??
    (await bindMatchingPerson(ctx, provider, identity))
  const mayCreate = known === null && (await mayBeCreated(ctx, provider, identity))
  // Who is told by no number may well be somebody here, and says so first.
  const isCreated = mayCreate && (proof.isAsked === true || identity.claims.number !== undefined)
  const bound = isCreated ? await createPersonOf(ctx, provider, identity) : known
  return { provider, service, method, bound, mayCreate, flow, identity }
}

/** The code with which a person says that they are nobody here yet; good for one use, in the browser of the login. */
export async function offerCreation(ctx: Context, { flow, identity }: ThirdPartyLogin): Promise<string> {
  const code = randomToken(32)
  await ctx.state.put(PROOF, code, { flow, identity, isAsked: true } satisfies Proof, OFFER_SECONDS)
  return code
}

/** Who was bound by an id of one application stays bound when the vendor begins to tell the one that all applications share. */
async function followFormerIdentity(
  ctx: Context,
  key: IdentityKey,
  { former }: ThirdPartyIdentity,
): Promise<BoundAccount | null> {
  if (!former) return null
  await renameIdentity(ctx.db, { ...former, providerId: key.providerId }, key)
  return await findBoundAccount(ctx.db, key)
}

/** Notes that a binding was good for a login. */
export const recordAccountUse = async (ctx: Context, { id }: BoundAccount): Promise<void> => {
  await touchAccount(ctx.db, id, ctx.now())
}

/** The offer to log in with the password and bind. @param next where the person wanted to go. */
export const offerBinding = (ctx: Context, { flow, identity }: ThirdPartyLogin, next: string | null): Promise<string> =>
  savePendingBinding(ctx, flow, identity, { next })

/** What a provider may be believed for, by the setting that an administrator switched on; a phone or mailbox only when verified. */
function trustedNames({ matchBy }: Provider, { claims, verified }: ThirdPartyIdentity) {
  const names = { account: claims.number, phone: claims.phone, mailbox: claims.mailbox }
  return matchBy.flatMap((kind) => {
    const value = names[kind]
    const isProven = kind === 'account' || verified.includes(kind)
    return value && isProven ? [{ kind, canonical: canonicalLoginName(value) }] : []
  })
}

/** The one person that a trusted provider names; null when it names nobody, or not the same person with everything it says. */
export async function findMatch(
  ctx: Context,
  provider: Provider,
  identity: ThirdPartyIdentity,
): Promise<string | null> {
  const found = new Set<string>()
  for (const match of trustedNames(provider, identity)) {
    const userId = await findMatchingPerson(ctx.db, { providerId: provider.id, ...match, now: ctx.now() })
    if (userId) found.add(userId)
  }
  const [userId, other] = found
  return other === undefined ? (userId ?? null) : null
}

/** Binds whom a trusted provider names. */
async function bindMatchingPerson(
  ctx: Context,
  provider: Provider,
  identity: ThirdPartyIdentity,
): Promise<BoundAccount | null> {
  const userId = await findMatch(ctx, provider, identity)
  if (userId === null) return null
  const { realm, subject } = identity
  const binding = { userId, realm, subject, displayName: displayNameOf(identity) }
  try {
    await transaction(ctx, (inner) => bindAccount(inner, provider, binding))
  } catch (error) {
    // Somebody was faster: what they made of it counts.
    if (!(error instanceof Refusal)) throw error
  }
  return await findBoundAccount(ctx.db, { providerId: provider.id, realm, subject })
}
