import type { Adapter, AdapterPayload } from 'oidc-provider'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import type { SsoSession } from '../../features/sessions/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { authenticationContext } from './authentication-context.rules.ts'
import { type ClientSession, currentRequest, findClientSession, isUsable, refusal } from './oidc-request.service.ts'
import { saveGrantFacts } from './presented-token.service.ts'

const INTERACTION_KIND = 'oidc-interaction'
/** Pending requests that one address may start per minute: more than a campus behind one address needs. */
const MAX_WAITING_REQUESTS = 1200
const PUSHED_REQUEST_KIND = 'oidc-pushed'
const DEVICE_KIND = 'oidc-device'
const USER_CODE_KIND = 'oidc-user-code'

/** For one login: its former session may end, so only a consent is bound to the session that it was asked in. */
export type StoredInteraction = { payload: AdapterPayload; at: number }

/** Authorization requests that wait for a person: for a login or a consent. */
export const interactionAdapter: Partial<Adapter> = {
  async upsert(id, { jti: _, session, ...payload }, seconds = 3600) {
    const { ctx } = currentRequest()
    const begun = await ctx.state.increment('oidc-begun', ctx.client.ip, 60)
    if (begun > MAX_WAITING_REQUESTS) throw refusal('temporarily_unavailable', 'too many requests from this address')
    const { name: prompt = 'login' } = (payload['prompt'] ?? {}) as { name?: string }
    const keepsSession = prompt !== 'login' && prompt !== 'select_account'
    const kept: StoredInteraction = {
      payload: { ...payload, ...(keepsSession && session && { session }) },
      at: ctx.now().getTime(),
    }
    await ctx.state.put(INTERACTION_KIND, id, kept, seconds)
  },
  async find(id) {
    const { ctx, clientSession } = currentRequest()
    const kept = await ctx.state.peek<StoredInteraction>(INTERACTION_KIND, id)
    if (!kept) return undefined
    const loggedInSince = clientSession && clientSession.session.authenticatedAt.getTime() >= kept.at
    const login = loggedInSince && { login: toLoginResult(clientSession.session), select_account: {} }
    const result = { ...(kept.payload['result'] as object | undefined), ...login }
    return { ...kept.payload, jti: id, ...(Object.keys(result).length > 0 && { result }) }
  },
  async destroy(id) {
    await currentRequest().ctx.state.take(INTERACTION_KIND, id)
  },
}

const toLoginResult = (session: SsoSession) => ({
  accountId: session.userId,
  ts: Math.floor(session.authenticatedAt.getTime() / 1000),
  ...authenticationContext(session),
})

export const findInteraction = (platform: Platform, uid: string): Promise<StoredInteraction | null> =>
  platform.state.peek<StoredInteraction>(INTERACTION_KIND, uid)

/** Adds a person's answer to a pending request. */
export async function saveInteractionResult(
  platform: Platform,
  uid: string,
  kept: StoredInteraction,
  result: object,
): Promise<void> {
  await platform.state.put(INTERACTION_KIND, uid, { ...kept, payload: { ...kept.payload, result } }, 600)
}

/** Pushed authorization requests: valid for one authorization. */
export const pushedRequestAdapter: Partial<Adapter> = {
  async upsert(id, { jti: _, ...payload }, seconds = 60) {
    await currentRequest().ctx.state.put(PUSHED_REQUEST_KIND, id, payload, seconds)
  },
  async find(id) {
    const payload = await currentRequest().ctx.state.peek<AdapterPayload>(PUSHED_REQUEST_KIND, id)
    return payload ? { ...payload, jti: id } : undefined
  },
  async consume(id) {
    if (await currentRequest().ctx.state.take(PUSHED_REQUEST_KIND, id)) return
    throw refusal('invalid_request_uri')
  },
}

/** Consumes the short code of a device, so that a second answer finds none. @returns whether it existed. */
export const takeUserCode = async (platform: Platform, userCode: string): Promise<boolean> =>
  (await platform.state.take(USER_CODE_KIND, userCode)) !== null

/** Only the device knows the code itself: it is stored and referred to by its hash. */
const hashDeviceCode = (id: string): string => sha256(id).toString('base64url')

export const findDevice = (platform: Platform, name: string): Promise<AdapterPayload | null> =>
  platform.state.peek<AdapterPayload>(DEVICE_KIND, name)

/** Stores a person's answer. */
export const updateDevice = (platform: Platform, name: string, payload: AdapterPayload, seconds: number) =>
  platform.state.put(DEVICE_KIND, name, payload, seconds)

/** The name of the device that shows this code. */
export async function findDeviceName(platform: Platform, userCode: string): Promise<string | null> {
  return (await platform.state.peek<{ name: string }>(USER_CODE_KIND, userCode))?.name ?? null
}

async function findDeviceClientSession(
  ctx: Context,
  { clientId, sessionUid }: AdapterPayload,
): Promise<ClientSession | null> {
  const application = clientId ? await findApplicationByClientId(ctx, clientId) : null
  if (!application || !sessionUid) return null
  return await findClientSession(ctx, sessionUid, application)
}

/** Codes of devices without a browser; the person finds them by the short code that the device shows. */
export const deviceCodeAdapter: Partial<Adapter> = {
  async upsert(id, { jti: _, ...payload }, seconds = 600) {
    const { state } = currentRequest().ctx
    const name = hashDeviceCode(id)
    await state.put(DEVICE_KIND, name, payload, seconds)
    if (payload.userCode) await state.put(USER_CODE_KIND, payload.userCode, { name }, seconds)
  },
  async find(id) {
    const request = currentRequest()
    const payload = await findDevice(request.ctx, hashDeviceCode(id))
    if (!payload) return undefined
    if (payload.accountId) {
      const clientSession = await findDeviceClientSession(request.ctx, payload)
      if (!clientSession || !isUsable(clientSession)) return undefined
      request.clientSession = clientSession
      saveGrantFacts(payload)
    }
    return { ...payload, jti: id }
  },
  async consume(id) {
    if (await currentRequest().ctx.state.take(DEVICE_KIND, hashDeviceCode(id))) return
    throw refusal('invalid_grant')
  },
}
