import type { FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { DEFAULT_CALLS_PER_MINUTE } from '#shared/contract/open-api.ts'
import { randomToken } from '../../platform/crypto.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { refusalOf } from '../../platform/http/answer.ts'
import { clientOf } from '../../platform/http/client.ts'
import type { CallingApplication, Platform } from '../../platform/platform.ts'
import { acceptOnce, isSignedWith, type SignedText, signedTextOf } from '../api-signature/index.ts'
import { errors } from './api-registry.errors.ts'
import { type CallerRow, findCaller, insertCall, type KeyRow, noteKeyUse } from './calls.store.ts'

const MINUTE_MS = 60_000

/** Lines a minute that the calls of one application get which were turned away at the door: a flood of them must fill nothing. */
const TURNED_AWAY_LINES = 30

/** Signatures of names that nobody has are checked too, so that the answer takes as long. */
const NOBODYS_KEY = randomToken(40)

/**
 * Runs a call that an application signed with its app key, when the call is granted to it, and writes the call down.
 * @throws Refusal `request.bad-signature` for an unknown application, `open-api.*`, `open-api.too-many-calls` beyond its rate.
 */
export async function asApplication<T>(
  platform: Platform,
  request: FastifyRequest,
  endpoint: Endpoint,
  run: (application: CallingApplication) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  const signed = signedTextOf(platform, request)
  const appId = String(request.headers['appid'] ?? '').slice(0, 100)
  const apiId = endpoint.apiId ?? ''
  const caller = await findCaller(platform.sql, appId, apiId, platform.now())
  if (!caller) {
    isSignedWith(NOBODYS_KEY, signed)
    throw platformErrors['request.bad-signature']()
  }
  const note = (refusal: { status: number; code: string } | null) => {
    const ms = Math.round(performance.now() - began)
    return noteCall(platform, request, caller, {
      apiId,
      ms,
      status: refusal?.status ?? 200,
      code: refusal?.code ?? null,
    })
  }
  try {
    await letIn(platform, caller, apiId, signed)
  } catch (error) {
    const lines = await platform.state.count('api-turned-away', caller.id, 60)
    if (lines <= TURNED_AWAY_LINES) await note(refusalOf(error))
    throw error
  }
  try {
    const answer = await run({ id: caller.id, appId: caller.appId })
    await note(null)
    return answer
  } catch (error) {
    await note(refusalOf(error))
    throw error
  }
}

async function letIn(platform: Platform, caller: CallerRow, apiId: string, signed: SignedText): Promise<void> {
  const key = caller.keys.find(({ sealed }) => isSignedWith(platform.secrets.open(sealed), signed))
  if (!key) throw platformErrors['request.bad-signature']()
  await acceptOnce(platform, caller.id, signed)
  if (!caller.enabled) throw errors['open-api.application-disabled']()
  if (!caller.granted) throw errors['open-api.not-granted']()
  if (!caller.interfaceEnabled) throw errors['open-api.interface-disabled']()
  await keepToRate(platform, caller, apiId)
  await noteUse(platform, key)
}

/** So many calls within each minute of the clock, counted by all nodes together. */
async function keepToRate(platform: Platform, caller: CallerRow, apiId: string): Promise<void> {
  const now = platform.now().getTime()
  const minute = Math.floor(now / MINUTE_MS)
  const calls = await platform.state.count('api-rate', `${caller.id} ${apiId} ${minute}`, 60)
  if (calls <= (caller.callsPerMinute ?? DEFAULT_CALLS_PER_MINUTE)) return
  throw errors['open-api.too-many-calls']({ retryAfter: Math.max(1, ((minute + 1) * MINUTE_MS - now) / 1000) })
}

/** When a key was last used, to the minute: whoever wants to end it sees whether something still signs with it. */
async function noteUse(platform: Platform, { id, lastUsedAt }: KeyRow): Promise<void> {
  const now = platform.now()
  if (lastUsedAt && now.getTime() - new Date(lastUsedAt).getTime() < MINUTE_MS) return
  await noteKeyUse(platform.sql, id, now)
}

type Call = { apiId: string; ms: number; status: number; code: string | null }

async function noteCall(platform: Platform, request: FastifyRequest, caller: CallerRow, call: Call): Promise<void> {
  const { ip, requestId } = clientOf(request)
  try {
    await insertCall(platform.sql, { id: v7(), at: platform.now(), applicationId: caller.id, ip, requestId, ...call })
  } catch (err) {
    // The call has taken effect: asked again because of a missing line, it would take effect twice.
    platform.log.error({ err, application: caller.appId, api: call.apiId }, 'a call was not written down')
  }
}
