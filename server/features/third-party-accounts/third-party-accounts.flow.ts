import type { FastifyRequest } from 'fastify'
import { ConnectorFault, type FaultReason, type ThirdPartyIdentity } from '../../connectors/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { addressMac } from '../attempts/index.ts'
import { browserOf } from '../sessions/index.ts'
import { callbackAddress, connectionTo, type Provider, providerInUse } from '../third-party-providers/index.ts'
import { errors } from './third-party-accounts.errors.ts'

const KIND = 'third-party-flow'
const FLOW_SECONDS = 600

/** What a trip to a provider is for. */
export type Purpose =
  | { kind: 'login'; service: string | null; method: 'GET' | 'POST' }
  | { kind: 'bind'; userId: string; ssoSessionId: string }

export type Flow = {
  providerId: string
  /** The hash of the browser cookie: an answer that arrives in another browser is nobody's. */
  browser: string
  nonce: string
  codeVerifier: string
  /** Milliseconds; what was begun before an unbinding does not outlive it. */
  begunAt: number
  purpose: Purpose
}

/** Remembers a trip and answers where it leads. @throws Refusal `third-party.unavailable`, `third-party.unusable` */
export async function beginFlow(ctx: Context, provider: Provider, browser: string, purpose: Purpose): Promise<string> {
  const secrets = { nonce: randomToken(32), codeVerifier: randomToken(64) }
  // 190 bits of letters and digits: some providers take nothing else.
  const state = randomToken(32)
  const connection = await connectionTo(ctx, provider)
  const attempt = { ...secrets, state, redirectUri: callbackAddress(ctx, provider.key) }
  const address = await connection.authorizeUrl(attempt).catch((error) => refuseFault(ctx, provider, error))
  const flow: Flow = { ...secrets, providerId: provider.id, browser, begunAt: ctx.now().getTime(), purpose }
  await ctx.state.put(KIND, state, flow, FLOW_SECONDS)
  return address
}

/** Parameters that were given once; a provider that says something twice says nothing. */
function textsOf(query: unknown): Record<string, string> {
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>)
  return Object.fromEntries(pairs.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

/**
 * The trip that ends with this callback. Whatever is wrong with it, it is over.
 * @throws Refusal `third-party.flow-invalid`, or `third-party.unknown` for a provider that was switched off meanwhile.
 */
export async function endFlow(
  ctx: Context,
  request: FastifyRequest,
  key: string,
): Promise<{ flow: Flow; state: string; provider: Provider; returned: Record<string, string> }> {
  const returned = textsOf(request.query)
  const { state = '' } = returned
  const flow = /^\w{32}$/.test(state) ? await ctx.state.take<Flow>(KIND, state) : null
  if (!flow || flow.browser !== browserOf(ctx.config, request)) throw errors['third-party.flow-invalid']()
  const provider = await providerInUse(ctx, { id: flow.providerId })
  // The code of one provider is worth nothing at the callback of another.
  if (provider.key !== key) throw errors['third-party.flow-invalid']()
  return { flow, state, provider, returned }
}

type Ended = Awaited<ReturnType<typeof endFlow>>

const REFUSED = 'third-party-refused'
const HELD_UP = 'third-party-held-up'
const HOLD_SECONDS = 600
/** Codes that one address may present in vain in ten minutes: providers close their doors to us all after some thousand. */
const MOST_REFUSED = 100

/** Asks the provider who it was. @throws Refusal `third-party.cancelled|refused|unavailable|unusable|too-many` */
export async function identityOf(
  ctx: Context,
  { flow, state, provider, returned }: Ended,
): Promise<ThirdPartyIdentity> {
  const address = `${provider.id} ${addressMac(ctx, ctx.client.ip).toString('base64')}`
  if (await ctx.state.peek(HELD_UP, address)) throw errors['third-party.too-many']({ retryAfter: HOLD_SECONDS })
  const connection = await connectionTo(ctx, provider)
  const { nonce, codeVerifier } = flow
  const attempt = { state, nonce, codeVerifier, redirectUri: callbackAddress(ctx, provider.key) }
  return await connection.exchange(attempt, returned).catch(async (error: unknown) => {
    if (error instanceof ConnectorFault && error.reason === 'refused') await countRefused(ctx, address)
    return refuseFault(ctx, provider, error)
  })
}

async function countRefused(ctx: Context, address: string): Promise<void> {
  const count = await ctx.state.count(REFUSED, address, HOLD_SECONDS)
  if (count >= MOST_REFUSED) await ctx.state.put(HELD_UP, address, true, HOLD_SECONDS)
}

const REFUSALS = {
  cancelled: errors['third-party.cancelled'],
  refused: errors['third-party.refused'],
  unavailable: errors['third-party.unavailable'],
  unusable: errors['third-party.unusable'],
} satisfies Record<FaultReason, unknown>

/** Into words for the person; the step and the provider's code are for the log. */
function refuseFault(ctx: Context, provider: Provider, error: unknown): never {
  if (!(error instanceof ConnectorFault)) throw error
  const { reason, detail } = error
  if (reason !== 'cancelled') ctx.log.warn({ provider: provider.key, reason, detail }, 'third-party login')
  throw REFUSALS[reason]({ params: { provider: provider.names[ctx.client.language] ?? provider.name } })
}
