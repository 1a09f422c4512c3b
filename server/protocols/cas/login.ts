import type { FastifyReply } from 'fastify'
import {
  CodeSignInForm,
  PasskeySignInForm,
  SecondStepForm,
  SignInForm,
  type SignInRefusalData,
} from '#shared/contract/sign-in.ts'
import { renderLoginPage } from '../../features/appearance/index.ts'
import { type Application, findApplicationByService } from '../../features/applications/index.ts'
import { bindBrowser, browserSessionById, type SsoSession, ssoSessionOf } from '../../features/sessions/index.ts'
import {
  requireLoginType,
  type SignedIn,
  signIn,
  signInByCode,
  signInByPasskey,
  takeSecondStep,
} from '../../features/sign-in/index.ts'
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
import { askSession, isPortal, pendingStep, setUpAddress, stepAfter } from './login.second-factor.ts'
import { LOGOUT_PATH, renderNotice, renderTicketForm } from './pages.ts'
import { addressWith, carried, headerAddress, type LoginParameters, loginParameters, text } from './parameters.ts'

/** What a session is good for, towards the service that was asked for (or towards none). */
type Standing = 'none' | 'limited' | 'lacking' | 'denied' | 'disabled' | 'ready'

function standingOf(session: SsoSession | null, application: Application | null): Standing {
  if (!session) return 'none'
  if (session.refusal === 'session.limited') return 'limited'
  if (session.refusal === 'application.not-granted') return 'denied'
  if (session.refusal === 'application.disabled') return 'disabled'
  if (session.refusal === 'session.second-factor') return 'lacking'
  if (session.refusal) return 'none'
  if (session.limited) return application ? 'ready' : 'limited'
  return session.lacksFactor ? 'lacking' : 'ready'
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
  if (!session || !usable) {
    return (await pendingStep(ctx, exchange, parameters)) ?? toLoginPage(ctx, exchange, parameters)
  }
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
  if (standing === 'lacking') return onLacking(ctx, exchange, situation)
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

/** A session without the second factor that a rule asks for: it is asked, or set up first, which the portal is open for. */
async function onLacking(ctx: Context, exchange: Exchange, situation: Situation): Promise<FastifyReply> {
  const { parameters, application, session } = situation
  const { service, method } = parameters
  const asked = await askSession(ctx, exchange, session, parameters)
  if (asked === 'trusted') return onSession(ctx, exchange, { ...situation, standing: 'ready' })
  if (asked) return asked
  if (!application || service === null || !isPortal(ctx, application, service)) {
    return leadTo(ctx, exchange, setUpAddress(ctx, service))
  }
  return admit(ctx, exchange, { application, service, session, method, fresh: false })
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
    return (
      (await stepAfter(ctx, exchange, error, { parameters, session })) ??
      loginPageAgain(ctx, exchange, parameters, error)
    )
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
  const opened = await proveWho(ctx, exchange, entrance)
  return await arrive(ctx, exchange, { ...entrance, opened })
}

/** `fresh`: on credentials given just now; absent: yes. */
type Opened = Pick<SignedIn, 'id'> & { fresh?: boolean }
type Arrival = Omit<Entrance, 'session'> & { opened: Opened }

/** On to the service with the session that has just been opened, whatever way in opened it. */
export async function arrive(ctx: Context, exchange: Exchange, arrival: Arrival): Promise<FastifyReply> {
  const { application, parameters, opened } = arrival
  const session = await browserSessionById(ctx, opened.id, application)
  const standing = standingOf(session, application)
  const { service, method } = parameters
  if (session && standing === 'ready' && application && service !== null) {
    return admit(ctx, exchange, { application, service, session, method, fresh: opened.fresh ?? true })
  }
  if (session && standing !== 'none' && !(standing === 'ready' && wantsJson(exchange))) {
    return onSession(ctx, exchange, { parameters, application, session, standing })
  }
  // A script without a service; or a login that was ended while it was being answered.
  return leadTo(ctx, exchange, `${ctx.config.publicUrl}/auth_web/`)
}

/** By whichever login type the form was filled in for. */
async function proveWho(ctx: Context, exchange: Exchange, { application, session }: Entrance): Promise<Opened> {
  const { request, reply } = exchange
  const { language } = ctx.client
  const body = request.body ?? {}
  const context = { application: application?.builtIn ? null : application, replaces: session }
  const type = text(body, 'loginType')
  if (type === 'second-factor') {
    const form = parseInput(SecondStepForm, body, language)
    return await takeSecondStep(ctx, exchange, form, { application: context.application, session })
  }
  if (type === 'passkey') {
    return await signInByPasskey(ctx, exchange, { ...parseInput(PasskeySignInForm, body, language), ...context })
  }
  if (type === 'captcha') {
    return await signInByCode(ctx, exchange, { ...parseInput(CodeSignInForm, body, language), ...context })
  }
  await requireLoginType(ctx, 'user')
  return await signIn(ctx, request, reply, { ...parseInput(SignInForm, body, language), ...context })
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
    type: text(request.body, 'loginType') ?? undefined,
    error: { code: refusal.code, params: refusal.params },
    captcha: captcha?.kind ?? null,
    status: refusal.status,
  })
}
