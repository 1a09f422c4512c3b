import type { FastifyReply } from 'fastify'
import {
  CodeSignInForm,
  PasskeySignInForm,
  SecondFactorForm,
  SessionLimitForm,
  SignInForm,
  type SignInRefusalData,
} from '#shared/contract/sign-in.ts'
import { withoutTicket } from '#shared/rules/redirect-target.ts'
import { renderLoginPage } from '../../features/appearance/index.ts'
import { type Application, findApplicationByService } from '../../features/applications/index.ts'
import { ensureBrowserId, findBrowserSession, type SsoSession } from '../../features/sessions/index.ts'
import {
  completeSecondFactor,
  completeSessionLimitStep,
  type LoginTarget,
  signInByCode,
  signInByPasskey,
  signInByPassword,
} from '../../features/sign-in/index.ts'
import { errors as platformErrors, Refusal } from '../../platform/errors.ts'
import { isCrossSite } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import { parseInput } from '../../platform/http/responses.ts'
import type { Context } from '../../platform/platform.ts'
import { errors } from './cas.errors.ts'
import {
  changePasswordUrl,
  completeProfileUrl,
  issueTicketAndRedirect,
  missingNameRefusal,
  noteRefusal,
  redeemContinueCode,
  redirect,
  refuseBeforeLogin,
  refuseByRule,
  refuseService,
  renderContinuePrompt,
  sendTicket,
  takeFormTicket,
  wantsJson,
} from './login-response.service.ts'
import {
  factorSetupUrl,
  isPortalPage,
  renderPendingStep,
  renderStepAfterRefusal,
  requestSessionFactor,
} from './login-second-factor.service.ts'
import { HTML_TYPE, LOGOUT_PATH, renderNotice, renderTicketForm } from './pages.render.ts'
import {
  type LoginParameters,
  loginParameters,
  preservedParameters,
  text,
  toHeaderUrl,
  wantsHeader,
  withLoginParameters,
} from './parameters.rules.ts'
import { type SessionState, sessionStateOf } from './session-state.rules.ts'
import { findSilentLogin } from './silent-login.service.ts'
import { findSessionOrIssueTicket } from './tickets.service.ts'

/** Why nobody may be sent to this service; null: no reason. */
function serviceRefusal({ request }: Exchange, { service }: LoginParameters, application: Application | null) {
  if (service === null) return null
  if (!application) return 'application.unknown'
  if (!application.enabled) return 'application.disabled'
  return wantsHeader(request.query) ? 'application.header-not-offered' : null
}

/** HEAD /login: the headers of a GET by an anonymous browser, without side effects: no ticket, no cookie, no record. */
export async function handleLoginHead(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { reply } = exchange
  const parameters = loginParameters(exchange.request.query)
  const { service } = parameters
  const application = service === null ? null : await findApplicationByService(ctx, service)
  const refusal = serviceRefusal(exchange, parameters, application)
  if (refusal) return reply.code(errors[refusal]().status).type(HTML_TYPE).send()
  return reply.redirect(loginPageUrl(ctx, parameters), 302)
}

/** GET /login, the credential requestor (protocol section 2): with a session issues a ticket, without one shows the login page. */
export async function handleLoginGet(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const parameters = loginParameters(exchange.request.query)
  const { service } = parameters
  const application = service === null ? null : await findApplicationByService(ctx, service)
  const refusal = serviceRefusal(exchange, parameters, application)
  if (refusal) return refuseBeforeLogin(ctx, exchange, refusal, application)
  const { session, ticket } = await findSessionOrIssueTicket(ctx, exchange.request, parameters, application)
  const sessionState = sessionStateOf(session, application)
  if (session && application && service !== null && ticket !== null) {
    return sendTicket(ctx, exchange, { application, service, session, method: parameters.method }, ticket)
  }
  const usable = sessionState !== 'none' && !parameters.renew
  // Without a prompt the only answer is "not logged in": back to the unchanged address, without a ticket.
  if (parameters.gateway && service !== null && sessionState !== 'ready') {
    return exchange.reply.redirect(toHeaderUrl(withoutTicket(service)), 302)
  }
  if (!session || !usable) {
    return (await renderPendingStep(ctx, exchange, parameters)) ?? redirectToLoginPage(ctx, exchange, parameters)
  }
  return handleSession(ctx, exchange, { parameters, application, session, sessionState })
}

type SessionRequest = {
  parameters: LoginParameters
  application: Application | null
  session: SsoSession
  sessionState: SessionState
}

async function handleSession(ctx: Context, exchange: Exchange, request: SessionRequest): Promise<FastifyReply> {
  const { parameters, application, session, sessionState } = request
  const { service, method } = parameters
  await noteRefusal(ctx, session, application)
  if (sessionState === 'refused') return refuseByRule(ctx, exchange, session, application)
  if (sessionState === 'limited') return redirect(ctx, exchange, changePasswordUrl(ctx, service))
  if (sessionState === 'lacking') return handleMissingFactor(ctx, exchange, request)
  if (sessionState === 'incomplete') return redirect(ctx, exchange, completeProfileUrl(ctx, service))
  if (!application || service === null) return renderSignedIn(ctx, exchange)
  if (sessionState === 'denied') return refuseService(ctx, exchange, 'application.not-granted', application)
  if (sessionState === 'disabled') return refuseService(ctx, exchange, 'application.disabled', application)
  if (sessionState === 'nameless') return refuseService(ctx, exchange, missingNameRefusal(application), application)
  const handed = text(exchange.request.query, 'handed')
  const ticket = handed && (await takeFormTicket(ctx, handed, session, service))
  if (ticket) return renderTicketForm(ctx, exchange, application, service, ticket)
  return (await mustConfirm(ctx, exchange, { application, service, session }))
    ? renderContinuePrompt(ctx, exchange, { application, service, session, method })
    : issueTicketAndRedirect(ctx, exchange, { application, service, session, method, fresh: false })
}

/** For a session without a required second factor: asks for it, or leads to the portal to set one up. */
async function handleMissingFactor(ctx: Context, exchange: Exchange, request: SessionRequest): Promise<FastifyReply> {
  const { parameters, application, session } = request
  const { service, method } = parameters
  const response = await requestSessionFactor(ctx, exchange, session, parameters)
  if (response === 'trusted') {
    const isIncomplete = session.lacksFields && !application?.builtIn
    return handleSession(ctx, exchange, { ...request, sessionState: isIncomplete ? 'incomplete' : 'ready' })
  }
  if (response) return response
  if (!application || service === null || !isPortalPage(ctx, application, service)) {
    return redirect(ctx, exchange, factorSetupUrl(ctx, service))
  }
  return issueTicketAndRedirect(ctx, exchange, { application, service, session, method, fresh: false })
}

/** With `warn` before every service, unless just confirmed. Not for the portal, which the person is already in. */
async function mustConfirm(
  ctx: Context,
  { request }: Exchange,
  { application, service, session }: { application: Application; service: string; session: SsoSession },
): Promise<boolean> {
  if (!session.warn || application.builtIn) return false
  const agreement = text(request.query, 'continue')
  return agreement === null || !(await redeemContinueCode(ctx, agreement, session, service))
}

/** Sets the browser cookie before the login page, because its captchas, the ticket and the hand-over are bound to it. */
async function redirectToLoginPage(
  ctx: Context,
  exchange: Exchange,
  parameters: LoginParameters,
): Promise<FastifyReply> {
  ensureBrowserId(ctx.config, exchange.request, exchange.reply)
  const silent = await findSilentLogin(ctx, exchange, parameters)
  return exchange.reply.redirect(silent ?? loginPageUrl(ctx, parameters), 302)
}

const loginPageUrl = (ctx: Context, parameters: LoginParameters): string =>
  ctx.config.publicUrl + withLoginParameters('/auth_web/login', parameters)

const renderSignedIn = (ctx: Context, exchange: Exchange): Promise<FastifyReply> =>
  renderNotice(ctx, exchange, {
    name: 'signed-in',
    actions: [
      { text: { key: 'notice.to-portal' }, href: '/auth_web/', primary: true },
      { text: { key: 'notice.log-out' }, href: LOGOUT_PATH },
    ],
  })

/** POST /login, the credential acceptor (protocol section 3). Checks the service before it looks at a credential. */
export async function handleLoginPost(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request } = exchange
  if (isCrossSite(request, ctx.config.publicUrl)) return refuseCrossSite(ctx, exchange)
  const parameters = loginParameters(request.query, request.body)
  const { service } = parameters
  const application = service === null ? null : await findApplicationByService(ctx, service)
  const refusal = serviceRefusal(exchange, parameters, application)
  if (refusal) return refuseService(ctx, exchange, refusal, application)
  const session = await findBrowserSession(ctx, request, application)
  try {
    return await authenticateAndComplete(ctx, exchange, { parameters, application, session })
  } catch (error) {
    // Under overload, rendering the form would cost more than rejecting saves.
    if (!(error instanceof Refusal) || wantsJson(exchange) || error.code === 'service.busy') throw error
    return (
      (await renderStepAfterRefusal(ctx, exchange, error, { parameters, session })) ??
      renderLoginPageWithError(ctx, exchange, parameters, error)
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

type LoginRequest = { parameters: LoginParameters; application: Application | null; session: SsoSession | null }

async function authenticateAndComplete(ctx: Context, exchange: Exchange, login: LoginRequest): Promise<FastifyReply> {
  const authenticated = await authenticate(ctx, exchange, login)
  return await completeLogin(ctx, exchange, { ...login, ...authenticated })
}

/** A session with the gate's answer for the application; null: ended meanwhile. `fresh`: by credentials given just now. */
type Authenticated = { session: SsoSession | null; fresh: boolean }
type LoginCompletion = Omit<LoginRequest, 'session'> & Authenticated

/** Continues to the service with a session that has just been opened, by any login type. */
export async function completeLogin(
  ctx: Context,
  exchange: Exchange,
  { application, parameters, session, fresh }: LoginCompletion,
): Promise<FastifyReply> {
  const sessionState = sessionStateOf(session, application)
  const { service, method } = parameters
  if (session && sessionState === 'ready' && application && service !== null) {
    return issueTicketAndRedirect(ctx, exchange, { application, service, session, method, fresh })
  }
  if (session && sessionState !== 'none' && !(sessionState === 'ready' && wantsJson(exchange))) {
    return handleSession(ctx, exchange, { parameters, application, session, sessionState })
  }
  // A script without a service; or a login that was ended while it was being answered.
  return redirect(ctx, exchange, `${ctx.config.publicUrl}/auth_web/`)
}

async function authenticate(
  ctx: Context,
  exchange: Exchange,
  { application, session }: LoginRequest,
): Promise<Authenticated> {
  const body = exchange.request.body ?? {}
  const target = { application, replaces: session }
  if (text(body, 'loginType') === 'end-sessions') {
    const form = parseInput(SessionLimitForm, body, ctx, ctx.client.language)
    return { session: await completeSessionLimitStep(ctx, exchange, form, target), fresh: true }
  }
  if (text(body, 'loginType') !== 'second-factor') {
    return { session: await signInByForm(ctx, exchange, body, target), fresh: true }
  }
  return await completeSecondFactor(ctx, exchange, parseInput(SecondFactorForm, body, ctx, ctx.client.language), target)
}

/** By the login type of the form. */
async function signInByForm(ctx: Context, exchange: Exchange, body: unknown, target: LoginTarget): Promise<SsoSession> {
  const { language } = ctx.client
  const type = text(body, 'loginType')
  if (type === 'passkey') {
    return await signInByPasskey(ctx, exchange, parseInput(PasskeySignInForm, body, ctx, language), target)
  }
  if (type === 'captcha') {
    return await signInByCode(ctx, exchange, parseInput(CodeSignInForm, body, ctx, language), target)
  }
  return await signInByPassword(ctx, exchange, parseInput(SignInForm, body, ctx, language), target)
}

/** Renders the form again, with the error and what the next attempt requires; keeps the typed name. */
function renderLoginPageWithError(
  ctx: Context,
  { request, reply }: Exchange,
  parameters: LoginParameters,
  refusal: Refusal,
): Promise<FastifyReply> {
  const { captcha } = (refusal.data ?? { captcha: null }) as SignInRefusalData
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(refusal.retryAfter)))
  return renderLoginPage(ctx, request, reply, {
    service: parameters.service,
    carry: preservedParameters(parameters),
    username: (text(request.body, 'username') ?? '').slice(0, 256),
    type: text(request.body, 'loginType') ?? undefined,
    error: { code: refusal.code, params: refusal.params },
    captcha: captcha?.kind ?? null,
    status: refusal.status,
  })
}
