import type { FastifyReply } from 'fastify'
import { SignInForm, type SignInRefusalData } from '#shared/contract/sign-in.ts'
import { renderLoginPage } from '../../features/appearance/index.ts'
import { type Application, findApplicationByService } from '../../features/applications/index.ts'
import { bindBrowser, type SsoSession, ssoSessionById, ssoSessionOf } from '../../features/sessions/index.ts'
import { signIn } from '../../features/sign-in/index.ts'
import { errors as platformErrors, Refusal } from '../../platform/errors.ts'
import { parseInput } from '../../platform/http/answer.ts'
import { isCrossSite } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import {
  admit,
  askToContinue,
  changePasswordAddress,
  hasAgreed,
  leadTo,
  refuseService,
  takeHanded,
  wantsJson,
} from './login.answer.ts'
import { LOGOUT_PATH, renderNotice, renderTicketForm } from './pages.ts'
import { addressWith, carried, headerAddress, type LoginParameters, loginParameters, text } from './parameters.ts'

/** What a session is good for, towards the service that was asked for (or towards none). */
type Standing = 'none' | 'limited' | 'denied' | 'disabled' | 'ready'

function standingOf(session: SsoSession | null, application: Application | null): Standing {
  if (!session) return 'none'
  if (session.refusal === 'session.limited') return 'limited'
  if (session.refusal === 'application.not-granted') return 'denied'
  if (session.refusal === 'application.disabled') return 'disabled'
  if (session.refusal) return 'none'
  return session.limited && !application ? 'limited' : 'ready'
}

/** GET /login, the credential requestor (protocol section 2): on a session a ticket, without one the login page. */
export async function requestLogin(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const parameters = loginParameters(exchange.request.query)
  const { service } = parameters
  const application = service === null ? null : await findApplicationByService(ctx, service)
  if (service !== null && !application) return refuseService(ctx, exchange, 'application.unknown', null)
  if (application && !application.enabled) return refuseService(ctx, exchange, 'application.disabled', application)
  const session = await ssoSessionOf(ctx, exchange.request, application)
  const standing = standingOf(session, application)
  const usable = standing !== 'none' && !parameters.renew
  // Without a prompt there is nothing to say but "not logged in": back as the address came, without a ticket.
  if (parameters.gateway && service !== null && standing !== 'ready') {
    return exchange.reply.redirect(headerAddress(service), 302)
  }
  if (!session || !usable) return toLoginPage(ctx, exchange, parameters)
  return onSession(ctx, exchange, { parameters, application, session, standing })
}

type Situation = {
  parameters: LoginParameters
  application: Application | null
  session: SsoSession
  standing: Standing
}

async function onSession(ctx: Context, exchange: Exchange, situation: Situation): Promise<FastifyReply> {
  const { parameters, application, session, standing } = situation
  const { service, method } = parameters
  if (standing === 'limited') return leadTo(ctx, exchange, changePasswordAddress(ctx, service))
  if (!application || service === null) return saySignedIn(ctx, exchange)
  if (standing === 'denied') return refuseService(ctx, exchange, 'application.not-granted', application)
  if (standing === 'disabled') return refuseService(ctx, exchange, 'application.disabled', application)
  const handed = text(exchange.request.query, 'handed')
  const ticket = handed && (await takeHanded(ctx, handed, session, service))
  if (ticket) return renderTicketForm(ctx, exchange, application, service, ticket)
  return (await mustAsk(ctx, exchange, { application, service, session }))
    ? askToContinue(ctx, exchange, { application, service, session, method })
    : admit(ctx, exchange, { application, service, session, method, fresh: false })
}

/** With `warn` before every service, unless its page was just agreed to. The portal is where the person already is. */
async function mustAsk(
  ctx: Context,
  { request }: Exchange,
  { application, service, session }: { application: Application; service: string; session: SsoSession },
): Promise<boolean> {
  if (!session.warn || application.builtIn) return false
  const agreement = text(request.query, 'continue')
  return agreement === null || !(await hasAgreed(ctx, agreement, session, service))
}

/** The browser cookie is set before the login page: its captchas, the ticket and the hand-over will be bound to it. */
function toLoginPage(ctx: Context, exchange: Exchange, parameters: LoginParameters): FastifyReply {
  bindBrowser(ctx.config, exchange.request, exchange.reply)
  return exchange.reply.redirect(ctx.config.publicUrl + addressWith('/auth_web/login', parameters), 302)
}

const saySignedIn = (ctx: Context, exchange: Exchange): Promise<FastifyReply> =>
  renderNotice(ctx, exchange, {
    name: 'signed-in',
    actions: [
      { text: { key: 'notice.to-portal' }, href: '/auth_web/', primary: true },
      { text: { key: 'notice.log-out' }, href: LOGOUT_PATH },
    ],
  })

/** POST /login, the credential acceptor (protocol section 3). The service is judged before a credential is looked at. */
export async function acceptLogin(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request } = exchange
  if (isCrossSite(request, ctx.config.publicUrl)) return refuseCrossSite(ctx, exchange)
  const parameters = loginParameters(request.query, request.body)
  const { service } = parameters
  const application = service === null ? null : await findApplicationByService(ctx, service)
  if (service !== null && !application) return refuseService(ctx, exchange, 'application.unknown', null)
  if (application && !application.enabled) return refuseService(ctx, exchange, 'application.disabled', application)
  const session = await ssoSessionOf(ctx, request, application)
  try {
    return await enter(ctx, exchange, { parameters, application, session })
  } catch (error) {
    if (!(error instanceof Refusal) || wantsJson(exchange)) throw error
    return loginPageAgain(ctx, exchange, parameters, error)
  }
}

function refuseCrossSite(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const refusal = platformErrors['request.cross-site']()
  if (wantsJson(exchange)) throw refusal
  return renderNotice(ctx, exchange, {
    name: 'refused',
    error: { code: refusal.code, params: {} },
    status: refusal.status,
  })
}

type Entrance = { parameters: LoginParameters; application: Application | null; session: SsoSession | null }

async function enter(ctx: Context, exchange: Exchange, entrance: Entrance): Promise<FastifyReply> {
  const { request, reply } = exchange
  const { application, parameters } = entrance
  const form = parseInput(SignInForm, request.body ?? {}, ctx.client.language)
  const attempt = { ...form, application: application?.builtIn ? null : application, replaces: entrance.session }
  const opened = await signIn(ctx, request, reply, attempt)
  const session = await ssoSessionById(ctx, opened.id, application)
  const standing = standingOf(session, application)
  const { service, method } = parameters
  if (session && standing === 'ready' && application && service !== null) {
    return admit(ctx, exchange, { application, service, session, method, fresh: true })
  }
  if (session && standing !== 'none' && !(standing === 'ready' && wantsJson(exchange))) {
    return onSession(ctx, exchange, { parameters, application, session, standing })
  }
  // A script without a service; or a login that was ended while it was being answered.
  return leadTo(ctx, exchange, `${ctx.config.publicUrl}/auth_web/`)
}

/** The form again, with the reason and what the next try must bring; the name that was typed stays. */
function loginPageAgain(
  ctx: Context,
  { request, reply }: Exchange,
  parameters: LoginParameters,
  refusal: Refusal,
): Promise<FastifyReply> {
  const { captcha } = (refusal.data ?? { captcha: null }) as SignInRefusalData
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(refusal.retryAfter)))
  return renderLoginPage(ctx, request, reply, {
    service: parameters.service,
    carry: carried(parameters),
    username: (text(request.body, 'username') ?? '').slice(0, 256),
    error: { code: refusal.code, params: refusal.params },
    captcha: captcha?.kind ?? null,
    status: refusal.status,
  })
}
