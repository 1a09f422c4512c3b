import type { FastifyReply, FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import type { ConfirmPage } from '#shared/contract/light-page.ts'
import { renderLightPage } from '../../features/appearance/index.ts'
import { type Application, findApplicationByClientId } from '../../features/applications/index.ts'
import {
  clearPortalCookie,
  clearSsoCookie,
  endSsoSessions,
  ssoCookieOf,
  ssoSessionOf,
} from '../../features/sessions/index.ts'
import { OIDC_PATH } from '../../features/signing-keys/index.ts'
import { takeFrontChannelLogouts } from '../../features/single-logout/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import { isCrossSite, isFetchedAhead } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { subjectFor } from './claims.ts'
import { standingOfBrowser } from './oidc-request.ts'
import { renderRefusal } from './pages.ts'
import { providerOf } from './provider.ts'

const LOGOUT = `${OIDC_PATH}/logout`
const PARAMETERS = ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id'] as const
type Parameters = Partial<Record<(typeof PARAMETERS)[number], string>>

/** Somebody who may be answered only on our own page. */
type Refused = { error: string; error_description: string }
type Asked = { parameters: Parameters; application: Application | null; hint: Hint | null; next: string | null }
type Hint = { sub?: string }

/**
 * RP-Initiated Logout 1.0: ends the one sign-on session, and with it everything that stands on it, CAS services included. An ID
 * token of this very person is proof enough; anything less is asked about.
 */
export async function logOut(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const asked = await whatIsAsked(ctx, request)
  if ('error' in asked) return renderRefusal(ctx, exchange, asked, 400)
  if (request.method === 'POST' && !ssoCookieOf(request)) return reply.redirect(withoutForm(asked.parameters), 303)
  const session = await ssoSessionOf(ctx, request, null)
  if (!session || session.refusal === 'session.ended') return goOn(ctx, exchange, asked, [])
  if (!(await isMeant(ctx, request, asked))) return ask(ctx, exchange, asked)
  await endSsoSessions(ctx, { ids: [session.id] }, 'logout')
  return goOn(ctx, exchange, asked, await takeFrontChannelLogouts(ctx, session.id))
}

/**
 * A form of another site comes without our cookie (SameSite): as an address the same request brings it, and until then nothing
 * is known of a session, nor may its cookie be taken away.
 */
const withoutForm = (parameters: Parameters) => `${LOGOUT}?${new URLSearchParams(parameters)}`

async function whatIsAsked(ctx: Context, request: FastifyRequest): Promise<Asked | Refused> {
  const parameters = parametersOf(request)
  if (!parameters) return wrong('parameters must not be included twice')
  const hint = await readHint(ctx, parameters)
  if (hint === 'wrong') return wrong('id_token_hint is not one of ours')
  const clientId = hint?.clientId ?? parameters.client_id
  const application = clientId === undefined ? null : await findApplicationByClientId(ctx, clientId)
  if (clientId !== undefined && !application?.enabled) return { error: 'invalid_client', error_description: '' }
  const uri = parameters.post_logout_redirect_uri
  const registered = application?.client?.postLogoutRedirectUris ?? []
  if (uri !== undefined && application && !registered.includes(uri)) {
    return { error: 'invalid_redirect_uri', error_description: '' }
  }
  return { parameters, application, hint, next: application && uri ? withState(uri, parameters.state) : null }
}

const wrong = (reason: string): Refused => ({ error: 'invalid_request', error_description: reason })

function parametersOf({ query, body, method }: FastifyRequest): Parameters | null {
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
    const provider = await providerOf(ctx)
    const client = await provider.Client.find(aud)
    if (!client) return 'wrong'
    const { payload } = await provider.IdToken.validate(hint, client)
    return { clientId: aud, sub: String(payload['sub']) }
  } catch {
    return 'wrong'
  }
}

/** Our own button, or an application that shows a token of the person who is logged in. */
async function isMeant(ctx: Context, request: FastifyRequest, { hint, application }: Asked): Promise<boolean> {
  const { method, headers, body } = request
  const confirmed = method === 'POST' && (body as { confirmed?: unknown } | undefined)?.confirmed === 'true'
  if (confirmed && !isCrossSite(request, ctx.config.publicUrl)) return true
  const destination = headers['sec-fetch-dest']
  if (isFetchedAhead(request) || (destination !== undefined && destination !== 'document' && destination !== 'empty')) {
    return false
  }
  const secret = ssoCookieOf(request)
  if (!hint || !application || !secret) return false
  const standing = await standingOfBrowser(ctx, sha256(secret), application)
  return standing !== null && hint.sub === subjectFor(ctx, application, standing.person)
}

function ask(ctx: Context, { request, reply }: Exchange, { parameters, next }: Asked): Promise<FastifyReply> {
  const fields = { ...(parameters as Record<string, string>), confirmed: 'true' }
  const page: ConfirmPage = {
    kind: 'confirm',
    name: 'log-out',
    application: null,
    person: null,
    actions: [
      { text: { key: 'confirm.log-out.no' }, href: '/auth_web/', primary: true },
      { text: { key: 'confirm.log-out.yes' }, href: LOGOUT, fields },
    ],
  }
  return renderLightPage(ctx, request, reply, page, { formTargets: next ? [new URL(next).origin] : [] })
}

const FRONT_CHANNEL_SECONDS = 5

async function goOn(ctx: Context, exchange: Exchange, { next, application }: Asked, urls: string[]) {
  const { request, reply } = exchange
  clearSsoCookie(ctx.config, reply)
  clearPortalCookie(ctx.config, reply)
  reply.header('clear-site-data', '"cache"')
  if (urls.length > 0) {
    const label = application && { name: application.name, names: application.names }
    const page = { kind: 'front-logout', urls, seconds: FRONT_CHANNEL_SECONDS, next, application: label } as const
    return renderLightPage(ctx, request, reply, page)
  }
  return reply.redirect(next ?? '/fwk_cas_service/logout', 303)
}
