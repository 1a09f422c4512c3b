import type { FastifyReply, FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import type { ConfirmPage, LightError, NoticePage } from '#shared/contract/light-page.ts'
import { renderLightPage } from '../../features/appearance/index.ts'
import { type Application, findApplicationByClientId } from '../../features/applications/index.ts'
import {
  clearPortalCookie,
  clearSsoCookie,
  endSsoSessions,
  findBrowserSession,
  ssoCookieOf,
} from '../../features/sessions/index.ts'
import { OIDC_PATH } from '../../features/signing-keys/index.ts'
import { takeFrontChannelLogouts } from '../../features/single-logout/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import { isCrossSite, isPrefetch } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { subjectFor } from './claims.rules.ts'
import { findBrowserClientSession } from './oidc-request.service.ts'
import { errors, renderRefusal } from './pages.render.ts'
import { getProvider } from './provider.service.ts'

const LOGOUT_PATH = `${OIDC_PATH}/logout`
const PARAMETERS = ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id'] as const
type Parameters = Partial<Record<(typeof PARAMETERS)[number], string>>

/** An error that may be shown only on our own page. */
type LogoutError = { error: string; error_description: string }
type LogoutRequest = {
  parameters: Parameters
  application: Application | null
  hint: IdTokenHint | null
  next: string | null
  /** Where an application with a valid hint wants its people redirected, although that is not registered for it. */
  astray: string | null
}
type IdTokenHint = { sub?: string }

/**
 * RP-Initiated Logout 1.0: ends the one sign-on session, and with it everything that depends on it, CAS services included. An ID token of
 * the person who is logged in is sufficient proof; anything less asks for confirmation.
 */
export async function logOut(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const logout = await parseLogoutRequest(ctx, request)
  if ('error' in logout) return renderRefusal(ctx, exchange, logout, 400)
  if (request.method === 'POST' && !ssoCookieOf(request)) return reply.redirect(logoutUrl(logout.parameters), 303)
  const session = await findBrowserSession(ctx, request, null)
  if (!session || session.refusal === 'session.ended') return finishLogout(ctx, exchange, logout, [])
  if (!(await isIntendedLogout(ctx, request, logout))) return renderConfirmation(ctx, exchange, logout)
  await endSsoSessions(ctx, { ids: [session.id] }, 'logout')
  return finishLogout(ctx, exchange, logout, await takeFrontChannelLogouts(ctx, session.id))
}

/**
 * A cross-site form post arrives without our cookie (SameSite): it is redirected to a GET that carries it; until then the session is
 * unknown, and its cookie must not be cleared.
 */
const logoutUrl = (parameters: Parameters) => `${LOGOUT_PATH}?${new URLSearchParams(parameters)}`

async function parseLogoutRequest(ctx: Context, request: FastifyRequest): Promise<LogoutRequest | LogoutError> {
  const parameters = parseParameters(request)
  if (!parameters) return invalidRequest('parameters must not be included twice')
  const hint = await readHint(ctx, parameters)
  if (hint === 'wrong') return invalidRequest('id_token_hint is not one of ours')
  const clientId = hint?.clientId ?? parameters.client_id
  const application = clientId === undefined ? null : await findApplicationByClientId(ctx, clientId)
  if (clientId !== undefined && !application?.enabled) return { error: 'invalid_client', error_description: '' }
  const target = logoutTarget(application, hint, parameters)
  return target
    ? { parameters, application, hint, ...target }
    : { error: 'invalid_redirect_uri', error_description: '' }
}

/** Null: an unregistered address, from an unknown application. */
function logoutTarget(
  application: Application | null,
  hint: IdTokenHint | null,
  { post_logout_redirect_uri: uri, state }: Parameters,
): Pick<LogoutRequest, 'next' | 'astray'> | null {
  if (uri === undefined || !application) return { next: null, astray: null }
  if (application.client?.postLogoutRedirectUris.includes(uri)) return { next: withState(uri, state), astray: null }
  // With a hint the application asks, and the person wants to log out of it: only the return address is invalid.
  return hint ? { next: null, astray: uri } : null
}

const invalidRequest = (reason: string): LogoutError => ({ error: 'invalid_request', error_description: reason })

function parseParameters({ query, body, method }: FastifyRequest): Parameters | null {
  const given = { ...(query as object), ...(method === 'POST' ? (body as object | undefined) : {}) } as Record<
    string,
    unknown
  >
  const pairs = PARAMETERS.flatMap((name) =>
    given[name] === undefined || given[name] === '' ? [] : [[name, given[name]]],
  )
  return pairs.every(([, value]) => typeof value === 'string') ? Object.fromEntries(pairs) : null
}

const withState = (uri: string, state: string | undefined): string => {
  if (state === undefined) return uri
  const url = new URL(uri)
  url.searchParams.set('state', state)
  return url.href
}

/** An ID token that we signed for the client it names, expired or not; `wrong` for anything else. */
async function readHint(ctx: Context, { id_token_hint: hint, client_id: clientId }: Parameters) {
  if (hint === undefined) return null
  try {
    const { aud } = decodeJwt(hint)
    if (typeof aud !== 'string' || (clientId !== undefined && clientId !== aud)) return 'wrong'
    const provider = await getProvider(ctx)
    const client = await provider.Client.find(aud)
    if (!client) return 'wrong'
    const { payload } = await provider.IdToken.validate(hint, client)
    return { clientId: aud, sub: String(payload['sub']) }
  } catch {
    return 'wrong'
  }
}

/** Our own button, or an application that presents a token of the person who is logged in. */
async function isIntendedLogout(
  ctx: Context,
  request: FastifyRequest,
  { hint, application }: LogoutRequest,
): Promise<boolean> {
  const { method, headers, body } = request
  const confirmed = method === 'POST' && (body as { confirmed?: unknown } | undefined)?.confirmed === 'true'
  if (confirmed && !isCrossSite(request, ctx.config.publicUrl)) return true
  const destination = headers['sec-fetch-dest']
  if (isPrefetch(request) || (destination !== undefined && destination !== 'document' && destination !== 'empty')) {
    return false
  }
  const secret = ssoCookieOf(request)
  if (!hint || !application || !secret) return false
  const clientSession = await findBrowserClientSession(ctx, sha256(secret), application)
  return clientSession !== null && hint.sub === subjectFor(ctx, application, clientSession.person)
}

function renderConfirmation(
  ctx: Context,
  { request, reply }: Exchange,
  { parameters, next }: LogoutRequest,
): Promise<FastifyReply> {
  const fields = { ...(parameters as Record<string, string>), confirmed: 'true' }
  const page: ConfirmPage = {
    kind: 'confirm',
    name: 'log-out',
    application: null,
    person: null,
    actions: [
      { text: { key: 'confirm.log-out.no' }, href: '/auth_web/', primary: true },
      { text: { key: 'confirm.log-out.yes' }, href: LOGOUT_PATH, fields },
    ],
  }
  return renderLightPage(ctx, request, reply, page, { formTargets: next ? [new URL(next).origin] : [] })
}

const MAX_URI_CHARACTERS = 200

const unregisteredUriError = (uri: string): LightError => ({
  code: errors['oidc.logout-redirect-unknown']().code,
  params: { address: uri.slice(0, MAX_URI_CHARACTERS) },
})

const signedOutPage = (request: FastifyRequest, error: LightError): NoticePage => ({
  kind: 'notice',
  name: 'signed-out',
  application: null,
  person: null,
  error,
  requestId: request.id,
  actions: [{ text: { key: 'notice.to-login' }, href: '/auth_web/', primary: true }],
})

const FRONT_CHANNEL_SECONDS = 5

async function finishLogout(
  ctx: Context,
  exchange: Exchange,
  { next, application, astray }: LogoutRequest,
  urls: string[],
) {
  const { request, reply } = exchange
  clearSsoCookie(ctx.config, reply)
  clearPortalCookie(ctx.config, reply)
  reply.header('clear-site-data', '"cache"')
  if (urls.length > 0) {
    const label = application && { name: application.name, names: application.names }
    const seconds = FRONT_CHANNEL_SECONDS
    const error = astray === null ? null : unregisteredUriError(astray)
    return renderLightPage(ctx, request, reply, {
      kind: 'front-logout',
      urls,
      seconds,
      next,
      application: label,
      error,
    })
  }
  if (astray !== null) return renderLightPage(ctx, request, reply, signedOutPage(request, unregisteredUriError(astray)))
  return reply.redirect(next ?? '/fwk_cas_service/logout', 303)
}
