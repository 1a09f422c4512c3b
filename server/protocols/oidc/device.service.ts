import type { FastifyReply } from 'fastify'
import type { AdapterPayload } from 'oidc-provider'
import type { LightAction, LightError, NoticeName } from '#shared/contract/light-page.ts'
import { renderLightPage } from '../../features/appearance/index.ts'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import { ensureBrowserId, findBrowserSession, type SsoSession, ssoCookieOf } from '../../features/sessions/index.ts'
import { OIDC_PATH } from '../../features/signing-keys/index.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import { defineErrors, errors as platformErrors } from '../../platform/errors.ts'
import { isCrossSite } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { findDevice, findDeviceName, takeUserCode, updateDevice } from './artifacts.service.ts'
import { authenticationContext } from './authentication-context.rules.ts'
import { sidFor } from './claims.rules.ts'
import { allowedScopes } from './clients.service.ts'
import { recordEntry } from './codes.service.ts'
import { recordConsent, renderConsent, requestedScopes } from './consent.service.ts'
import { type ClientSession, findBrowserClientSession } from './oidc-request.service.ts'
import { grantableScopes, OFFLINE_ACCESS } from './requested-scope.rules.ts'

const errors = defineErrors({ 'device.code-unknown': 404 })

const unknownCode: LightError = { code: errors['device.code-unknown']().code, params: {} }

const DEVICE_PATH = `${OIDC_PATH}/device`
/** Attempts per person in ten minutes: codes have 34 bits, and nobody mistypes that often. */
const MAX_TRIES = 20

type PendingDevice = { name: string; payload: AdapterPayload; userCode: string; clientSession: ClientSession }

/** Nothing has to be done first: an initial password, a second factor, a required field. */
const isComplete = ({ refusal, limited, lacksFactor, lacksFields }: SsoSession): boolean =>
  !refusal && !limited && !lacksFactor && !lacksFields

/** GET: asks for the code that a device shows. A link with the code only prefills it. */
export async function handleDeviceGet(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const session = await findBrowserSession(ctx, request, null)
  if (!session || !isComplete(session)) return redirectToLogin(ctx, exchange, session)
  const typed = (request.query as Record<string, unknown>)['user_code']
  return renderInput(ctx, { request, reply }, typeof typed === 'string' ? typed.slice(0, 20) : '', null)
}

/** POST: shows who wants to log in with that code, then takes the answer. @throws Refusal `request.cross-site`. */
export async function handleDevicePost(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request } = exchange
  if (isCrossSite(request, ctx.config.publicUrl)) throw platformErrors['request.cross-site']()
  const fields = (request.body ?? {}) as Record<string, unknown>
  const typed = String(fields['user_code'] ?? '').slice(0, 20)
  const session = await findBrowserSession(ctx, request, null)
  if (!session || !isComplete(session)) return redirectToLogin(ctx, exchange, session)
  const tries = await ctx.state.increment('oidc-device-tries', session.userId, 600)
  const device = tries > MAX_TRIES ? null : await findPendingDevice(ctx, exchange, typed)
  if (!device) return renderInput(ctx, exchange, typed, unknownCode)
  if (fields['answer'] === 'allow') return allowDevice(ctx, exchange, device)
  if (fields['answer'] === 'deny') return denyDevice(ctx, exchange, device)
  return renderConfirmation(ctx, exchange, device)
}

function redirectToLogin(ctx: Context, { request, reply }: Exchange, session: SsoSession | null): FastifyReply {
  ensureBrowserId(ctx.config, request, reply)
  const service = encodeURIComponent(ctx.config.publicUrl + (request.method === 'GET' ? request.url : DEVICE_PATH))
  if (session?.limited) {
    return reply.redirect(`${ctx.config.publicUrl}/auth_web/forgot-password?type=2&service=${service}`, 303)
  }
  if (session && !session.refusal && !session.lacksFactor && session.lacksFields) {
    return reply.redirect(`${ctx.config.publicUrl}/auth_web/complete-profile?service=${service}`, 303)
  }
  return reply.redirect(`${ctx.config.publicUrl}/fwk_cas_service/login?service=${service}`, 303)
}

async function findPendingDevice(ctx: Context, { request }: Exchange, typed: string): Promise<PendingDevice | null> {
  const userCode = typed.toUpperCase().replace(/[^A-Z]/g, '')
  const name = await findDeviceName(ctx, userCode)
  const payload = name && (await findDevice(ctx, name))
  if (!name || !payload || payload.accountId || payload.error || (payload.exp ?? 0) * 1000 <= Date.now()) return null
  const application = await findApplicationByClientId(ctx, payload.clientId ?? '')
  const secret = ssoCookieOf(request)
  const clientSession = application && secret ? await findBrowserClientSession(ctx, sha256(secret), application) : null
  return clientSession && !clientSession.session.refusal ? { name, payload, userCode, clientSession } : null
}

const scopesOf = ({ payload, clientSession }: PendingDevice): string[] => {
  const { scope = '', claims } = (payload.params ?? {}) as { scope?: string; claims?: string }
  // A device that names no scope gets what its application is registered for.
  return requestedScopes(clientSession, scope || [...allowedScopes(clientSession.application)].join(' '), claims)
}

/** What was consented to, and whether the device may refresh, which nobody is asked about. */
function grantedScope(device: PendingDevice): string {
  const { scope = '' } = (device.payload.params ?? {}) as { scope?: string }
  const isOffline = grantableScopes(device.clientSession.application, scope.split(' ')).includes(OFFLINE_ACCESS)
  return [...scopesOf(device), ...(isOffline ? [OFFLINE_ACCESS] : [])].join(' ')
}

function renderConfirmation(ctx: Context, exchange: Exchange, device: PendingDevice): Promise<FastifyReply> {
  const { userCode, clientSession } = device
  const answer = (value: string, primary: boolean): LightAction => ({
    text: { key: `consent.${value}` },
    href: DEVICE_PATH,
    fields: { user_code: userCode, answer: value },
    primary,
  })
  return renderConsent(ctx, exchange, clientSession, {
    scopes: scopesOf(device),
    code: `${userCode.slice(0, 4)}-${userCode.slice(4)}`,
    actions: [answer('allow', true), answer('deny', false)],
  })
}

async function allowDevice(ctx: Context, exchange: Exchange, device: PendingDevice): Promise<FastifyReply> {
  const { name, payload, clientSession, userCode } = device
  const { session, application } = clientSession
  // Of two answers at once only one connects the device.
  if (!(await takeUserCode(ctx, userCode))) return renderInput(ctx, exchange, '', unknownCode)
  const scopes = scopesOf(device)
  await recordConsent(ctx, clientSession, scopes)
  await saveDevice(ctx, name, {
    ...payload,
    accountId: session.userId,
    sessionUid: session.id,
    grantId: randomToken(22),
    scope: grantedScope(device),
    sid: sidFor(ctx, session.id, application),
    ...authenticationContext(session),
    authTime: Math.floor(session.authenticatedAt.getTime() / 1000),
  })
  await recordEntry(ctx, clientSession)
  return renderDone(ctx, exchange, 'device-connected')
}

async function denyDevice(ctx: Context, exchange: Exchange, { name, payload }: PendingDevice): Promise<FastifyReply> {
  await saveDevice(ctx, name, { ...payload, error: 'access_denied', errorDescription: 'the person did not agree' })
  return renderDone(ctx, exchange, 'device-refused')
}

const saveDevice = async (ctx: Context, name: string, payload: AdapterPayload): Promise<void> => {
  const seconds = (payload.exp ?? 0) - Math.floor(Date.now() / 1000)
  await updateDevice(ctx, name, payload, Math.max(1, seconds))
}

const renderInput = (ctx: Context, { request, reply }: Exchange, userCode: string, error: LightError | null) =>
  renderLightPage(
    ctx,
    request,
    reply,
    { kind: 'device', action: DEVICE_PATH, userCode, error },
    { status: error ? 404 : 200 },
  )

const renderDone = (ctx: Context, { request, reply }: Exchange, name: NoticeName) =>
  renderLightPage(ctx, request, reply, {
    kind: 'notice',
    name,
    application: null,
    person: null,
    error: null,
    requestId: request.id,
    actions: [],
  })
