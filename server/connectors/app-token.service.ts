import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ConnectorContext, ConnectorFault } from './connector.types.ts'

/** Before a token expires: calls in progress must still arrive in time. */
const EXPIRY_MARGIN_MS = 5 * 60_000
/** More applications than one installation talks to. */
const MAX_CACHED_TOKENS = 200
const SHARED_KIND = 'app-token'

export type AppToken = { token: string; expiresAt: Date }

type TokenRequest = { key: string; fetchToken: () => Promise<AppToken>; rejected: string | null }

type NodeTokens = {
  known: Map<string, AppToken>
  /** Renewals in progress: concurrent callers share the result, or its failure. */
  renewals: Map<string, Promise<AppToken>>
}

/** What each node has read or fetched, by its shared state. */
const tokensByNode = new WeakMap<ConnectorContext['state'], NodeTokens>()

function tokensOf({ state }: ConnectorContext): NodeTokens {
  const tokens = tokensByNode.get(state) ?? { known: new Map(), renewals: new Map() }
  tokensByNode.set(state, tokens)
  return tokens
}

/**
 * An application's own token, cached until five minutes before its expiry: providers count requests for it, and some invalidate the old one
 * when they issue a new one. It is fetched once for all concurrent callers on all nodes.
 * @param rejected the token that a call was just rejected with; it is replaced once.
 */
export async function getAppToken(
  context: ConnectorContext,
  key: string,
  fetchToken: () => Promise<AppToken>,
  rejected: string | null = null,
): Promise<string> {
  const { known } = tokensOf(context)
  const cached = known.get(key)
  if (cached && isUsable(context, cached, rejected)) return cached.token
  const tokenRequest = { key, fetchToken, rejected }
  const renewed = await renewOnce(context, tokenRequest)
  // Joined a renewal that did not know about the rejection.
  return renewed.token === rejected ? (await renewOnce(context, tokenRequest)).token : renewed.token
}

type TokenUse = {
  key: string
  fetchToken: () => Promise<AppToken>
  /** Was a call rejected because the token has expired? */
  ended(error: unknown): boolean
}

/** A call with an application's token; if it was invalidated early, a new one is fetched once. */
export async function withAppToken<T>(
  context: ConnectorContext,
  { key, fetchToken, ended }: TokenUse,
  call: (token: string) => Promise<T>,
): Promise<T> {
  const token = await getAppToken(context, key, fetchToken)
  try {
    return await call(token)
  } catch (error) {
    if (!ended(error)) throw error
    return await call(await getAppToken(context, key, fetchToken, token))
  }
}

/** A failed renewal is the failure of everybody who joined it: told at once, fifty answers would be written while others log in. */
const FAILURE_SPREAD_MS = 1000

async function failSpread(error: unknown): Promise<never> {
  await pause(Math.random() * FAILURE_SPREAD_MS)
  throw error
}

function renewOnce(context: ConnectorContext, tokenRequest: TokenRequest): Promise<AppToken> {
  const { known, renewals } = tokensOf(context)
  const { key } = tokenRequest
  const running = renewals.get(key)
  if (running) return running.catch(failSpread)
  const renewal = renew(context, tokenRequest)
    .then((token) => {
      known.delete(key)
      if (known.size >= MAX_CACHED_TOKENS) known.delete(known.keys().next().value ?? key)
      known.set(key, token)
      return token
    })
    .finally(() => renewals.delete(key))
  renewals.set(key, renewal)
  return renewal
}

const isUsable = (context: ConnectorContext, { token, expiresAt }: AppToken, rejected: string | null): boolean =>
  expiresAt.getTime() - EXPIRY_MARGIN_MS > context.now().getTime() && token !== rejected

const LEASE_KIND = 'app-token-renewal'
/** Longer than a provider may take: only the lease of a dead node runs out. */
const LEASE_SECONDS = 20
const POLL_MS = 100

/**
 * One node at a time: the others use what it has fetched, because a second renewal would invalidate the first token. A lease in the shared
 * state, not a lock of the database: that would keep one of its connections from people who log in for as long as a provider is silent.
 */
async function renew(context: ConnectorContext, { key, fetchToken, rejected }: TokenRequest): Promise<AppToken> {
  const name = createHash('sha256').update(key).digest('base64url')
  const { state } = context
  for (let waited = 0; waited <= LEASE_SECONDS * 1000; waited += POLL_MS) {
    const isMine = (await state.increment(LEASE_KIND, name, LEASE_SECONDS)) === 1
    try {
      const shared = await readShared(context, name)
      if (shared && isUsable(context, shared, rejected)) return shared
      if (isMine) {
        const fetched = await fetchToken()
        await share(context, name, fetched)
        return fetched
      }
    } finally {
      if (isMine) await state.take(LEASE_KIND, name)
    }
    await pause(POLL_MS)
  }
  throw new ConnectorFault('unavailable', 'token: renewed elsewhere', null, 'timeout')
}

async function readShared({ state, secrets }: ConnectorContext, name: string): Promise<AppToken | null> {
  const sealed = await state.peek<string>(SHARED_KIND, name)
  if (sealed === null) return null
  const { token, expiresAt } = JSON.parse(secrets.open(sealed)) as { token: string; expiresAt: string }
  return { token, expiresAt: new Date(expiresAt) }
}

async function share({ state, secrets, now }: ConnectorContext, name: string, given: AppToken): Promise<void> {
  const seconds = Math.floor((given.expiresAt.getTime() - now().getTime()) / 1000)
  if (seconds > 0) await state.put(SHARED_KIND, name, secrets.seal(JSON.stringify(given)), seconds)
}
