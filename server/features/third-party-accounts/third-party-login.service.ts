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

/** For a person who reads a page and decides. */
const OFFER_SECONDS = 600

type Proof = {
  flow: ProviderFlow
  identity: ThirdPartyIdentity
  /** They have declared that they have no account here yet. */
  isAsked?: boolean
}

/** How a callback continues. */
export type CallbackResult =
  | { kind: 'login'; proof: string }
  | { kind: 'bind'; pending: string }
  /** The login has expired at the provider: to be repeated once. */
  | { kind: 'again'; address: string }
  | { kind: 'refused'; refusal: Refusal; purpose: ProviderFlow['purpose'] }

/**
 * The end of a flow at a provider: the identity is stored for the next step, only in this browser.
 * @throws Refusal `third-party.flow-invalid`, `third-party.unknown`: there was no such flow.
 */
export async function handleCallback(ctx: Context, request: FastifyRequest, key: string): Promise<CallbackResult> {
  const callback = await finishFlow(ctx, request, key)
  const { flow } = callback
  const { purpose } = flow
  try {
    const identity = await requestIdentity(ctx, callback)
    if (!identity) {
      const secondFlow = { browser: flow.browser, purpose, isSecond: true }
      return { kind: 'again', address: await startFlow(ctx, callback.provider, secondFlow) }
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
  /** Who is linked to the identity; null: nobody. */
  bound: BoundAccount | null
  /** Nobody is linked, and a person may be created from the identity on request. */
  mayCreate: boolean
  /** `bound` was created just now. */
  isCreated: boolean
  flow: ProviderFlow
  identity: ThirdPartyIdentity
}

/**
 * Consumes what `handleCallback` stored for a login, and looks up the person here, at this moment.
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
  // Without an account number, the person may already have an account here, and has to declare otherwise first.
  const isCreated = mayCreate && (proof.isAsked === true || identity.claims.number !== undefined)
  // Their names may be known only since a second window created the person.
  const bound = isCreated
    ? await createPersonOf(ctx, provider, identity)
    : (known ?? (mayCreate ? null : await findBoundAccount(ctx.db, key)))
  return { provider, service, method, bound, mayCreate, isCreated, flow, identity }
}

/** The code with which a person declares that they have no account here yet; valid for one use, in the browser of the login. */
export async function offerCreation(ctx: Context, { flow, identity }: ThirdPartyLogin): Promise<string> {
  const code = randomToken(32)
  await ctx.state.put(PROOF, code, { flow, identity, isAsked: true } satisfies Proof, OFFER_SECONDS)
  return code
}

/** Whoever was linked by an id of one application stays linked when the vendor starts to return the id shared by all applications. */
async function followFormerIdentity(
  ctx: Context,
  key: IdentityKey,
  { former }: ThirdPartyIdentity,
): Promise<BoundAccount | null> {
  if (!former) return null
  await renameIdentity(ctx.db, { ...former, providerId: key.providerId }, key)
  return await findBoundAccount(ctx.db, key)
}

/** Records that a linked account was used for a login. */
export const recordAccountUse = async (ctx: Context, { id }: BoundAccount): Promise<void> => {
  await touchAccount(ctx.db, id, ctx.now())
}

/** The offer to log in with the password and link. @param next where the person wanted to go */
export const offerBinding = (ctx: Context, { flow, identity }: ThirdPartyLogin, next: string | null): Promise<string> =>
  savePendingBinding(ctx, flow, identity, { next })

/** The claims of a provider that are trusted by an administrator's setting; a phone or mailbox only if verified. */
function trustedNames({ matchBy }: Provider, { claims, verified }: ThirdPartyIdentity) {
  const names = { account: claims.number, phone: claims.phone, mailbox: claims.mailbox }
  return matchBy.flatMap((kind) => {
    const value = names[kind]
    const isProven = kind === 'account' || verified.includes(kind)
    return value && isProven ? [{ kind, canonical: canonicalLoginName(value) }] : []
  })
}

/** The one person that a trusted provider identifies; null if nobody, or if its claims identify different people. */
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

/** Links the person that a trusted provider identifies. */
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
    // Somebody was faster: their result counts.
    if (!(error instanceof Refusal)) throw error
  }
  return await findBoundAccount(ctx.db, { providerId: provider.id, realm, subject })
}
