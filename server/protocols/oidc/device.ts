import type { FastifyReply } from 'fastify'
import type { AdapterPayload } from 'oidc-provider'
import type { LightAction, LightError, NoticeName } from '#shared/contract/light-page.ts'
import { renderLightPage } from '../../features/appearance/index.ts'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import { bindBrowser, type SsoSession, ssoCookieOf, ssoSessionOf } from '../../features/sessions/index.ts'
import { OIDC_PATH } from '../../features/signing-keys/index.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import { defineErrors, errors as platformErrors } from '../../platform/errors.ts'
import { isCrossSite } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { authenticationContext } from './authentication-context.ts'
import { sidFor } from './claims.ts'
import { allowedScopes } from './clients.ts'
import { noteEntry } from './codes.ts'
import { askedScopes, keepConsent, renderConsent } from './consent.ts'
import { answerDevice, deviceByUserCode, readDevice, takeUserCode } from './hot-artefacts.ts'
import { type Standing, standingOfBrowser } from './oidc-request.ts'

const errors = defineErrors({ 'device.code-unknown': 404 })

const unknownCode: LightError = { code: errors['device.code-unknown']().code, params: {} }

const DEVICE = `${OIDC_PATH}/device`
/** Tries of one person in ten minutes: codes have 34 bits, and nobody mistypes that often. */
const MOST_TRIES = 20

type Waiting = { name: string; payload: AdapterPayload; userCode: string; standing: Standing }

/** Nothing is missing that a login page would ask for: a first password, a second factor. */
const isComplete = ({ refusal, limited, lacksFactor }: SsoSession): boolean => !refusal && !limited && !lacksFactor

/** GET: asks for the code that a device shows. A link with the code only fills it in. */
export async function showDevice(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const session = await ssoSessionOf(ctx, request, null)
  if (!session || !isComplete(session)) return toLogin(ctx, exchange, session?.limited)
  const typed = (request.query as Record<string, unknown>)['user_code']
  return renderInput(ctx, { request, reply }, typeof typed === 'string' ? typed.slice(0, 20) : '', null)
}

/** POST: shows who wants to log in with that code, then takes the answer. @throws Refusal `request.cross-site`. */
export async function takeDevice(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request } = exchange
  if (isCrossSite(request, ctx.config.publicUrl)) throw platformErrors['request.cross-site']()
  const fields = (request.body ?? {}) as Record<string, unknown>
  const typed = String(fields['user_code'] ?? '').slice(0, 20)
  const session = await ssoSessionOf(ctx, request, null)
  if (!session || !isComplete(session)) return toLogin(ctx, exchange, session?.limited)
  const tries = await ctx.state.count('oidc-device-tries', session.userId, 600)
  const waiting = tries > MOST_TRIES ? null : await findWaiting(ctx, exchange, typed)
  if (!waiting) return renderInput(ctx, exchange, typed, unknownCode)
  if (fields['answer'] === 'allow') return allow(ctx, exchange, waiting)
  if (fields['answer'] === 'deny') return deny(ctx, exchange, waiting)
  return confirm(ctx, exchange, waiting)
}

function toLogin(ctx: Context, { request, reply }: Exchange, mustChangePassword = false): FastifyReply {
  bindBrowser(ctx.config, request, reply)
  const service = encodeURIComponent(ctx.config.publicUrl + (request.method === 'GET' ? request.url : DEVICE))
  if (mustChangePassword) {
    return reply.redirect(`${ctx.config.publicUrl}/auth_web/forgot-password?type=2&service=${service}`, 303)
  }
  return reply.redirect(`${ctx.config.publicUrl}/fwk_cas_service/login?service=${service}`, 303)
}

async function findWaiting(ctx: Context, { request }: Exchange, typed: string): Promise<Waiting | null> {
  const userCode = typed.toUpperCase().replace(/[^A-Z]/g, '')
  const name = await deviceByUserCode(ctx, userCode)
  const payload = name && (await readDevice(ctx, name))
  if (!name || !payload || payload.accountId || payload.error || (payload.exp ?? 0) * 1000 <= Date.now()) return null
  const application = await findApplicationByClientId(ctx, payload.clientId ?? '')
  const secret = ssoCookieOf(request)
  const standing = application && secret ? await standingOfBrowser(ctx, sha256(secret), application) : null
  return standing && !standing.session.refusal ? { name, payload, userCode, standing } : null
}

const scopesOf = ({ payload, standing }: Waiting): string[] => {
  const { scope = '', claims } = (payload.params ?? {}) as { scope?: string; claims?: string }
  // A device that names none gets what its application is registered for.
  return askedScopes(standing, scope || [...allowedScopes(standing.application)].join(' '), claims)
}

function confirm(ctx: Context, exchange: Exchange, waiting: Waiting): Promise<FastifyReply> {
  const { userCode, standing } = waiting
  const answer = (value: string, primary: boolean): LightAction => ({
    text: { key: `consent.${value}` },
    href: DEVICE,
    fields: { user_code: userCode, answer: value },
    primary,
  })
  return renderConsent(ctx, exchange, standing, {
    scopes: scopesOf(waiting),
    code: `${userCode.slice(0, 4)}-${userCode.slice(4)}`,
    actions: [answer('allow', true), answer('deny', false)],
  })
}

async function allow(ctx: Context, exchange: Exchange, waiting: Waiting): Promise<FastifyReply> {
  const { name, payload, standing, userCode } = waiting
  const { session, application } = standing
  // Of two answers at once only one connects the device.
  if (!(await takeUserCode(ctx, userCode))) return renderInput(ctx, exchange, '', unknownCode)
  const scopes = scopesOf(waiting)
  await keepConsent(ctx, standing, scopes)
  await saveDevice(ctx, name, {
    ...payload,
    accountId: session.userId,
    sessionUid: session.id,
    grantId: randomToken(22),
    scope: scopes.join(' '),
    sid: sidFor(ctx, session.id, application),
    ...authenticationContext(session),
    authTime: Math.floor(session.authenticatedAt.getTime() / 1000),
  })
  await noteEntry(ctx, standing)
  return renderDone(ctx, exchange, 'device-connected')
}

async function deny(ctx: Context, exchange: Exchange, { name, payload }: Waiting): Promise<FastifyReply> {
  await saveDevice(ctx, name, { ...payload, error: 'access_denied', errorDescription: 'the person did not agree' })
  return renderDone(ctx, exchange, 'device-refused')
}

const saveDevice = async (ctx: Context, name: string, payload: AdapterPayload): Promise<void> => {
  const seconds = (payload.exp ?? 0) - Math.floor(Date.now() / 1000)
  await answerDevice(ctx, name, payload, Math.max(1, seconds))
}

const renderInput = (ctx: Context, { request, reply }: Exchange, userCode: string, error: LightError | null) =>
  renderLightPage(
    ctx,
    request,
    reply,
    { kind: 'device', action: DEVICE, userCode, error },
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
