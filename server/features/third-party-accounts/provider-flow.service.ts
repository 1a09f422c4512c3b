import type { FastifyRequest } from 'fastify'
import type { TicketMethod } from '#shared/contract/sign-in.ts'
import type { ThirdPartyFrame } from '#shared/contract/third-party-accounts.ts'
import {
  type AuthorizationAttempt,
  ConnectorFault,
  type ConnectorFaultReason,
  type ThirdPartyIdentity,
} from '../../connectors/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { workLimit } from '../../platform/work-limit.ts'
import { addressMac } from '../attempts/index.ts'
import { browserIdOf } from '../sessions/index.ts'
import {
  callbackUrl,
  isInOwnBrowser,
  openConnection,
  type Provider,
  requireFrameUrl,
  requireProvider,
} from '../third-party-providers/index.ts'
import { errors } from './third-party-accounts.errors.ts'

const FLOW_KIND = 'third-party-flow'
const FLOW_SECONDS = 600

/** The purpose of a login flow at a provider. */
export type FlowPurpose =
  | { kind: 'login'; service: string | null; method: TicketMethod }
  | { kind: 'bind'; userId: string; ssoSessionId: string }

export type ProviderFlow = {
  providerId: string
  /** The hash of the browser cookie: an answer that arrives in another browser is rejected. */
  browser: string
  nonce: string
  codeVerifier: string
  /** In milliseconds; a flow begun before an unlinking is invalid after it. */
  begunAt: number
  /** It began in the vendor's own browser. */
  inApp: boolean
  purpose: FlowPurpose
  /** Begun because the previous one had expired at the vendor: there is no third. */
  isSecond?: boolean
}

type NewFlow = Pick<ProviderFlow, 'browser' | 'purpose' | 'isSecond'>

/** Before its state expires: whoever has scanned a code by then still has time to confirm. */
const RENEW_FRAME_SECONDS = 240

/** Stores a flow and returns where it leads. @throws Refusal `third-party.unavailable`, `third-party.unusable` */
export async function startFlow(ctx: Context, provider: Provider, newFlow: NewFlow): Promise<string> {
  const inApp = isInOwnBrowser(provider, ctx.client.userAgent)
  const attempt = newAttempt(ctx, provider, inApp)
  const connection = await openConnection(ctx, provider)
  const address = await connection.authorizeUrl(attempt).catch((error) => throwRefusal(ctx, provider, error))
  await saveFlow(ctx, provider, attempt, newFlow)
  return address
}

/** Stores a flow in a frame of the login page. @throws Refusal `third-party.unknown` */
export async function startFramedFlow(ctx: Context, provider: Provider, newFlow: NewFlow): Promise<ThirdPartyFrame> {
  const attempt = newAttempt(ctx, provider, false)
  const url = await requireFrameUrl(ctx, provider, attempt)
  await saveFlow(ctx, provider, attempt, newFlow)
  const { state, redirectUri } = attempt
  return { url, origin: new URL(url).origin, callbackUrl: redirectUri, state, renewAfterSeconds: RENEW_FRAME_SECONDS }
}

/** The parameters of one login flow at a provider. */
export const newAttempt = (ctx: Context, { key }: Pick<Provider, 'key'>, inApp: boolean): AuthorizationAttempt => ({
  nonce: randomToken(32),
  codeVerifier: randomToken(64),
  inApp,
  // 190 bits of letters and digits: some providers accept nothing else.
  state: randomToken(32),
  redirectUri: callbackUrl(ctx, key),
})

async function saveFlow(ctx: Context, provider: Provider, attempt: AuthorizationAttempt, newFlow: NewFlow) {
  const { state, nonce, codeVerifier, inApp } = attempt
  const begunAt = ctx.now().getTime()
  const flow: ProviderFlow = { ...newFlow, nonce, codeVerifier, inApp, providerId: provider.id, begunAt }
  await ctx.state.put(FLOW_KIND, state, flow, FLOW_SECONDS)
}

/** Parameters given exactly once; repeated ones are ignored. */
export function singleParameters(query: unknown): Record<string, string> {
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>)
  return Object.fromEntries(pairs.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

/**
 * The flow that ends with this callback; it is consumed even if something is wrong.
 * @throws Refusal `third-party.flow-invalid`, or `third-party.unknown` for a provider that was disabled meanwhile.
 */
export async function finishFlow(
  ctx: Context,
  request: FastifyRequest,
  key: string,
): Promise<{ flow: ProviderFlow; state: string; provider: Provider; returned: Record<string, string> }> {
  const returned = singleParameters(request.query)
  const { state = '' } = returned
  const flow = /^\w{32}$/.test(state) ? await ctx.state.take<ProviderFlow>(FLOW_KIND, state) : null
  if (!flow || flow.browser !== browserIdOf(ctx.config, request)) throw errors['third-party.flow-invalid']()
  const provider = await requireProvider(ctx, { id: flow.providerId })
  // The code of one provider is invalid at the callback of another.
  if (provider.key !== key) throw errors['third-party.flow-invalid']()
  return { flow, state, provider, returned }
}

type FlowCallback = Awaited<ReturnType<typeof finishFlow>>

const REFUSED_KIND = 'third-party-refused'
const BLOCKED_KIND = 'third-party-held-up'
const BLOCK_SECONDS = 600
/** Rejected codes per address in ten minutes: providers block the whole installation after some thousand. */
const MAX_REFUSED_CODES = 100

/**
 * Asks the provider who it was.
 * @returns null if the login has expired at the provider and may be repeated, once.
 * @throws Refusal `third-party.cancelled|refused|unavailable|unusable|too-large|misconfigured|not-member|not-visible|snapshot|too-many`
 */
export async function requestIdentity(
  ctx: Context,
  { flow, state, provider, returned }: FlowCallback,
): Promise<ThirdPartyIdentity | null> {
  const address = `${provider.id} ${addressMac(ctx, ctx.client.ip).toString('base64')}`
  if (await ctx.state.peek(BLOCKED_KIND, address)) throw errors['third-party.too-many']({ retryAfter: BLOCK_SECONDS })
  const connection = await openConnection(ctx, provider)
  const { nonce, codeVerifier, inApp } = flow
  const attempt = { state, nonce, codeVerifier, inApp, redirectUri: callbackUrl(ctx, provider.key) }
  return await exchangeLimit(provider)
    .run(() => connection.exchange(attempt, returned))
    .catch(async (error: unknown) => {
      if (error instanceof ConnectorFault && error.reason === 'signed-out' && !flow.isSecond) return null
      if (error instanceof ConnectorFault && error.reason === 'refused') await countRefusedCode(ctx, address)
      return throwRefusal(ctx, provider, error)
    })
}

/** Logins that wait for one provider on this node: a slow one must not delay other login methods. */
const EXCHANGES = { running: 60, waiting: 200, waitMs: 5_000 }
const limits = new Map<string, ReturnType<typeof workLimit>>()

function exchangeLimit({ id }: Provider): ReturnType<typeof workLimit> {
  const limit = limits.get(id) ?? workLimit(EXCHANGES)
  limits.set(id, limit)
  return limit
}

async function countRefusedCode(ctx: Context, address: string): Promise<void> {
  const count = await ctx.state.increment(REFUSED_KIND, address, BLOCK_SECONDS)
  if (count >= MAX_REFUSED_CODES) await ctx.state.put(BLOCKED_KIND, address, true, BLOCK_SECONDS)
}

const REFUSALS = {
  cancelled: errors['third-party.cancelled'],
  refused: errors['third-party.refused'],
  unavailable: errors['third-party.unavailable'],
  unusable: errors['third-party.unusable'],
  misconfigured: errors['third-party.misconfigured'],
  'not-member': errors['third-party.not-member'],
  'not-visible': errors['third-party.not-visible'],
  snapshot: errors['third-party.snapshot'],
  'signed-out': errors['third-party.refused'],
} satisfies Record<ConnectorFaultReason, unknown>

/** Converts a fault to a message for the person; the step and the provider's code are logged. */
export function throwRefusal(ctx: Context, provider: Provider, error: unknown): never {
  if (!(error instanceof ConnectorFault)) throw error
  const { reason, detail, network } = error
  if (reason !== 'cancelled') ctx.log.warn({ provider: provider.key, reason, detail }, 'third-party login')
  const refusal = network === 'too-large' ? errors['third-party.too-large'] : REFUSALS[reason]
  throw refusal({ params: { provider: provider.names[ctx.client.language] ?? provider.name } })
}
