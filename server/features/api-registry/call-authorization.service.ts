import type { FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { DEFAULT_CALLS_PER_MINUTE } from '#shared/contract/open-api.ts'
import { MINUTE_MS } from '#shared/rules/durations.ts'
import { randomToken, type SecretBox, sha256 } from '../../platform/crypto.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { clientOf } from '../../platform/http/client.ts'
import { toRefusal } from '../../platform/http/responses.ts'
import type { CallingApplication, Platform } from '../../platform/platform.ts'
import { isSignedWith, parseSignedText, rejectReplay, type SignedText } from '../api-signature/index.ts'
import { errors } from './api-registry.errors.ts'
import { type CallerRow, findCaller, insertCall, type KeyRow, updateKeyLastUse } from './calls.store.ts'

/** Records per minute of an application's rejected calls: a flood must not fill the disk. */
const MAX_REFUSED_CALL_LINES = 30

/** Keys per application: this many are tried for every name, whether it exists or not. */
const MAX_KEYS = 2

/** Sealed keys that nobody signs with, tried instead of missing ones. */
const decoyKeys = new WeakMap<SecretBox, string>()

function decoyKey({ secrets }: Platform): string {
  const sealed = decoyKeys.get(secrets) ?? secrets.seal(randomToken(40))
  decoyKeys.set(secrets, sealed)
  return sealed
}

/**
 * Runs a call that an application signed with its app key, if the call is granted to it, and records it.
 * @throws Refusal `request.bad-signature` for an unknown application, `open-api.*`, `open-api.too-many-calls` beyond its rate limit.
 */
export async function runAsApplication<T>(
  platform: Platform,
  request: FastifyRequest,
  endpoint: Endpoint,
  run: (application: CallingApplication) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  const signed = parseSignedText(platform, request)
  const appId = String(request.headers['appid'] ?? '').slice(0, 100)
  const apiId = endpoint.apiId ?? ''
  const caller = await findCaller(platform.sql, appId, apiId, platform.now())
  const key = findSigningKey(platform, caller?.keys ?? [], signed)
  const recordOutcome = async (to: CallerRow, refusal: { status: number; code: string } | null) => {
    const ms = Math.round(performance.now() - began)
    const { status, code } = refusal ?? { status: 200, code: null }
    await saveCall(platform, request, to, { apiId, ms, status, code })
  }
  const recordRefusal = async (error: unknown) => {
    const lines = await platform.state.increment('api-turned-away', sha256(appId).toString('base64url'), 60)
    // Not awaited: the response time must not reveal which names exist.
    if (caller && lines <= MAX_REFUSED_CALL_LINES) void recordOutcome(caller, toRefusal(error))
    return error
  }
  if (!caller || !key) throw await recordRefusal(platformErrors['request.bad-signature']())
  try {
    await authorizeCall(platform, caller, apiId, { signed, key })
  } catch (error) {
    throw await recordRefusal(error)
  }
  try {
    const answer = await run({ id: caller.id, appId: caller.appId })
    await recordOutcome(caller, null)
    return answer
  } catch (error) {
    await recordOutcome(caller, toRefusal(error))
    throw error
  }
}

/** The key that a request was signed with. The same number is decrypted and compared even if there is none or one. */
function findSigningKey(platform: Platform, keys: readonly KeyRow[], signed: SignedText): KeyRow | null {
  const missing = Array.from({ length: Math.max(0, MAX_KEYS - keys.length) }, () => decoyKey(platform))
  const right = [...keys.map(({ sealed }) => sealed), ...missing].map((sealed) =>
    isSignedWith(platform.secrets.open(sealed), signed),
  )
  return keys.find((_, at) => right[at]) ?? null
}

type Signature = { signed: SignedText; key: KeyRow }

async function authorizeCall(
  platform: Platform,
  caller: CallerRow,
  apiId: string,
  { signed, key }: Signature,
): Promise<void> {
  await rejectReplay(platform, caller.id, signed)
  if (!caller.enabled) throw errors['open-api.application-disabled']()
  if (!caller.granted) throw errors['open-api.not-granted']()
  if (!caller.interfaceEnabled) throw errors['open-api.interface-disabled']()
  await assertCallRate(platform, caller, apiId)
  await saveKeyUse(platform, key)
}

/** A rate limit per minute of the clock, counted across all nodes. */
async function assertCallRate(platform: Platform, caller: CallerRow, apiId: string): Promise<void> {
  const now = platform.now().getTime()
  const minute = Math.floor(now / MINUTE_MS)
  const calls = await platform.state.increment('api-rate', `${caller.id} ${apiId} ${minute}`, 60)
  if (calls <= (caller.callsPerMinute ?? DEFAULT_CALLS_PER_MINUTE)) return
  throw errors['open-api.too-many-calls']({ retryAfter: Math.max(1, ((minute + 1) * MINUTE_MS - now) / 1000) })
}

/** Records when a key was last used, to the minute: before ending a key, one can see whether something still signs with it. */
async function saveKeyUse(platform: Platform, { id, lastUsedAt }: KeyRow): Promise<void> {
  const now = platform.now()
  if (lastUsedAt && now.getTime() - new Date(lastUsedAt).getTime() < MINUTE_MS) return
  await updateKeyLastUse(platform.sql, id, now)
}

type Call = { apiId: string; ms: number; status: number; code: string | null }

async function saveCall(platform: Platform, request: FastifyRequest, caller: CallerRow, call: Call): Promise<void> {
  const { ip, requestId } = clientOf(request)
  try {
    await insertCall(platform.sql, { id: v7(), at: platform.now(), applicationId: caller.id, ip, requestId, ...call })
  } catch (err) {
    // The call has taken effect: failing it because of a missing record would make the client repeat it.
    platform.log.error({ err, application: caller.appId, api: call.apiId }, 'a call was not written down')
  }
}
