import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { SsoSession } from '../../features/sessions/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Platform } from '../../platform/platform.ts'
import { authenticationContext } from './authentication-context.ts'
import { rememberGrant, standingOf } from './codes.ts'
import { currentRequest, isGood, refusal } from './oidc-request.ts'

const INTERACTION = 'oidc-interaction'
/** Waiting requests that one address may begin within a minute: a campus behind one address logs in below that. */
const MOST_WAITING = 1200
const PUSHED = 'oidc-pushed'
const DEVICE = 'oidc-device'
const USER_CODE = 'oidc-user-code'

/** Of one login: the session before it may end, so only a consent stays with the session that it was asked in. */
export type KeptInteraction = { payload: AdapterPayload; at: number }

/** Authorization requests that wait for a person: at the login page, or for a consent. */
export const interactionAdapter: Partial<Adapter> = {
  async upsert(id, { jti: _, session, ...payload }, seconds = 3600) {
    const { ctx } = currentRequest()
    const begun = await ctx.state.count('oidc-begun', ctx.client.ip, 60)
    if (begun > MOST_WAITING) throw refusal('temporarily_unavailable', 'too many requests from this address')
    const keepsSession = payload['prompt'] && (payload['prompt'] as { name: string }).name !== 'login'
    const kept: KeptInteraction = {
      payload: { ...payload, ...(keepsSession && session && { session }) },
      at: ctx.now().getTime(),
    }
    await ctx.state.put(INTERACTION, id, kept, seconds)
  },
  async find(id) {
    const { ctx, standing } = currentRequest()
    const kept = await ctx.state.peek<KeptInteraction>(INTERACTION, id)
    if (!kept) return undefined
    const loggedInSince = standing && standing.session.authenticatedAt.getTime() >= kept.at
    const login = loggedInSince && { login: loginResult(standing.session) }
    const result = { ...(kept.payload['result'] as object | undefined), ...login }
    return { ...kept.payload, jti: id, ...(Object.keys(result).length > 0 && { result }) }
  },
  async destroy(id) {
    await currentRequest().ctx.state.take(INTERACTION, id)
  },
}

const loginResult = (session: SsoSession) => ({
  accountId: session.userId,
  ts: Math.floor(session.authenticatedAt.getTime() / 1000),
  ...authenticationContext(session),
})

export const readInteraction = (platform: Platform, uid: string): Promise<KeptInteraction | null> =>
  platform.state.peek<KeptInteraction>(INTERACTION, uid)

/** Adds the answer of a person to a waiting request. */
export async function answerInteraction(
  platform: Platform,
  uid: string,
  kept: KeptInteraction,
  result: object,
): Promise<void> {
  await platform.state.put(INTERACTION, uid, { ...kept, payload: { ...kept.payload, result } }, 600)
}

/** Pushed authorization requests: good for one authorization. */
export const pushedRequestAdapter: Partial<Adapter> = {
  async upsert(id, { jti: _, ...payload }, seconds = 60) {
    await currentRequest().ctx.state.put(PUSHED, id, payload, seconds)
  },
  async find(id) {
    const payload = await currentRequest().ctx.state.peek<AdapterPayload>(PUSHED, id)
    return payload ? { ...payload, jti: id } : undefined
  },
  async consume(id) {
    if (await currentRequest().ctx.state.take(PUSHED, id)) return
    throw refusal('invalid_request_uri')
  },
}

/** Takes the short code of a device, so that a second answer to the same question finds none. @returns whether it was there. */
export const takeUserCode = async (platform: Platform, userCode: string): Promise<boolean> =>
  (await platform.state.take(USER_CODE, userCode)) !== null

/** The code itself is in nobody's reach but the device's: it is kept and referred to by its hash. */
const nameOfDeviceCode = (id: string): string => sha256(id).toString('base64url')

export const readDevice = (platform: Platform, name: string): Promise<AdapterPayload | null> =>
  platform.state.peek<AdapterPayload>(DEVICE, name)

/** Writes what a person answered. */
export const answerDevice = (platform: Platform, name: string, payload: AdapterPayload, seconds: number) =>
  platform.state.put(DEVICE, name, payload, seconds)

/** The name of the device that shows this code. */
export async function deviceByUserCode(platform: Platform, userCode: string): Promise<string | null> {
  return (await platform.state.peek<{ name: string }>(USER_CODE, userCode))?.name ?? null
}

/** Codes of devices without a browser; the person finds them by the short code that the device shows. */
export const deviceCodeAdapter: Partial<Adapter> = {
  async upsert(id, { jti: _, ...payload }, seconds = 600) {
    const { state } = currentRequest().ctx
    const name = nameOfDeviceCode(id)
    await state.put(DEVICE, name, payload, seconds)
    if (payload.userCode) await state.put(USER_CODE, payload.userCode, { name }, seconds)
  },
  async find(id) {
    const request = currentRequest()
    const payload = await readDevice(request.ctx, nameOfDeviceCode(id))
    if (!payload) return undefined
    if (payload.accountId) {
      const standing = await standingOf(request.ctx, payload)
      if (!standing || !isGood(standing)) return undefined
      request.standing = standing
      rememberGrant(payload)
    }
    return { ...payload, jti: id }
  },
  async consume(id) {
    if (await currentRequest().ctx.state.take(DEVICE, nameOfDeviceCode(id))) return
    throw refusal('invalid_grant')
  },
}
