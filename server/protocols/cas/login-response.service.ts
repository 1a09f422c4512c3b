import type { FastifyReply } from 'fastify'
import type { LightAction } from '#shared/contract/light-page.ts'
import type { TicketMethod } from '#shared/contract/sign-in.ts'
import { withTicket } from '#shared/rules/redirect-target.ts'
import { PORTAL_APP_ID, ruleMessage } from '../../features/access/index.ts'
import type { Application } from '../../features/applications/index.ts'
import { recordRefusedRequest, recordRefusedVisit } from '../../features/records/index.ts'
import { ensureBrowserId, findBrowserSession, type SsoSession } from '../../features/sessions/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import { sendData } from '../../platform/http/responses.ts'
import type { Context } from '../../platform/platform.ts'
import { errors } from './cas.errors.ts'
import { LOGIN_PATH, LOGOUT_PATH, labelOf, renderContinue, renderNotice, renderTicketForm } from './pages.render.ts'
import { text, toHeaderUrl, withLoginParameters } from './parameters.rules.ts'
import { continuesAtProvider, issueServiceTicket } from './tickets.service.ts'

/** A client that accepts JSON and not HTML is a script; anything else is a browser. */
export function wantsJson({ request }: Exchange): boolean {
  const accept = request.headers.accept ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** Redirects the browser, or answers a script with `redirectUrl`. */
export function redirect(ctx: Context, exchange: Exchange, url: string): FastifyReply {
  if (wantsJson(exchange)) return sendData(ctx, exchange.request, exchange.reply, { redirectUrl: url })
  return exchange.reply.redirect(toHeaderUrl(url), 302)
}

const NOTICE_NAMES = {
  'application.unknown': 'application-unknown',
  'application.disabled': 'application-disabled',
  'application.not-granted': 'application-denied',
  'application.mailbox-missing': 'application-needs-mailbox',
  'application.phone-missing': 'application-needs-phone',
  'application.alias-missing': 'application-needs-alias',
  'application.user-name-missing': 'application-needs-name',
  'application.header-not-offered': 'application-wants-header',
} as const
type ServiceRefusal = keyof typeof NOTICE_NAMES

/** No ticket, no redirect: renders a page that says why. @throws Refusal of that code for a script. */
export async function refuseService(
  ctx: Context,
  exchange: Exchange,
  code: ServiceRefusal,
  application: Application | null,
): Promise<FastifyReply> {
  const service = text(exchange.request.query, 'service') ?? ''
  // Without its query, which belongs to the application and may hold secrets.
  await recordRefusedRequest(ctx, { claimed: application?.appId ?? service.replace(/[?#].*/s, ''), reason: code })
  const refusal = errors[code]()
  if (wantsJson(exchange)) throw refusal
  return renderNotice(ctx, exchange, {
    name: NOTICE_NAMES[code],
    application: application && labelOf(application),
    status: refusal.status,
    ...(SELF_SERVICE_REFUSALS.has(code) && { actions: [TO_ACCOUNT] }),
  })
}

/** The message of the access rule that rejects this session. */
export const refusalWords = ({ client }: Context, { refusedBy }: SsoSession): { message: string } => ({
  message: refusedBy ? ruleMessage(refusedBy, client.language) : '',
})

/** As `refuseService`, for a person whom an access rule rejects here and now: with the rule's own message, if it has one. */
export async function refuseByRule(
  ctx: Context,
  exchange: Exchange,
  session: SsoSession,
  application: Application | null,
): Promise<FastifyReply> {
  await recordRefusedRequest(ctx, { claimed: application?.appId ?? PORTAL_APP_ID, reason: 'rule.refused' })
  const params = refusalWords(ctx, session)
  const refusal = errors['rule.refused']({ params })
  if (wantsJson(exchange)) throw refusal
  return renderNotice(ctx, exchange, {
    name: 'refused',
    application: application && labelOf(application),
    error: { code: refusal.code, params },
    status: refusal.status,
    actions: [{ text: { key: 'notice.log-out' }, href: LOGOUT_PATH, primary: true }],
  })
}

/** Account attributes that people can fill in themselves. */
const MISSING_NAME_REFUSALS: Record<string, ServiceRefusal> = {
  mailbox: 'application.mailbox-missing',
  phone: 'application.phone-missing',
  alias: 'application.alias-missing',
}
const SELF_SERVICE_REFUSALS: ReadonlySet<string> = new Set(Object.values(MISSING_NAME_REFUSALS))
const TO_ACCOUNT: LightAction = {
  text: { key: 'notice.to-account' },
  href: '/auth_web/account-security/set-account',
  primary: true,
}

/** The error for a person without the attribute by which this application knows people. */
export const missingNameRefusal = ({ userAttribute }: Application): ServiceRefusal =>
  MISSING_NAME_REFUSALS[userAttribute] ?? 'application.user-name-missing'

/** Where a person must change the password first, and how they get back to the service. */
export const changePasswordUrl = (ctx: Context, service: string | null): string => {
  const back = service === null ? '' : `&service=${encodeURIComponent(service.toWellFormed())}`
  return `${ctx.config.publicUrl}/auth_web/forgot-password?type=2${back}`
}

/** Where a person fills in a missing required field, and how they get on to the service. */
export const completeProfileUrl = (ctx: Context, service: string | null): string => {
  const onward = service === null ? '' : `?service=${encodeURIComponent(service.toWellFormed())}`
  return `${ctx.config.publicUrl}/auth_web/complete-profile${onward}`
}

type TicketGrant = {
  application: Application
  service: string
  session: Pick<SsoSession, 'id' | 'userId'>
  /** By fresh credentials. */
  fresh: boolean
  method: TicketMethod
}

/** Issues the ticket and redirects the browser to the service with it. The gate has been asked. */
export async function issueTicketAndRedirect(
  ctx: Context,
  exchange: Exchange,
  grant: TicketGrant,
): Promise<FastifyReply> {
  const { application, service } = grant
  if (continuesAtProvider(ctx, application, service)) return redirect(ctx, exchange, service)
  const browser = application.builtIn ? ensureBrowserId(ctx.config, exchange.request, exchange.reply) : null
  return await sendTicket(ctx, exchange, grant, await issueServiceTicket(ctx, { ...grant, browser }))
}

/** Redirects the browser to the service with the issued ticket. */
export async function sendTicket(
  ctx: Context,
  exchange: Exchange,
  grant: Omit<TicketGrant, 'fresh'>,
  ticket: string,
): Promise<FastifyReply> {
  const { application, service, method } = grant
  if (method !== 'POST') {
    return redirect(ctx, exchange, withTicket(service, ticket, method === 'SAMLart' ? method : 'ticket'))
  }
  if (!wantsJson(exchange)) return renderTicketForm(ctx, exchange, application, service, ticket)
  // A script can't post a form across sites, so it gets the address of the page that does.
  const code = randomToken(32)
  const parameters = { service, renew: false, gateway: false, method }
  await ctx.state.put(
    FORM_TICKET_KIND,
    code,
    { ticket, service, ssoSessionId: grant.session.id } satisfies FormTicket,
    60,
  )
  return redirect(ctx, exchange, ctx.config.publicUrl + withLoginParameters(LOGIN_PATH, parameters, { handed: code }))
}

const FORM_TICKET_KIND = 'cas-handed'
type FormTicket = { ticket: string; service: string; ssoSessionId: string }

/** The ticket that `sendTicket` stored for this page, session and service; null if there is none. */
export async function takeFormTicket(
  ctx: Context,
  code: string,
  session: SsoSession,
  service: string,
): Promise<string | null> {
  const handed = await ctx.state.take<FormTicket>(FORM_TICKET_KIND, code)
  return handed?.ssoSessionId === session.id && handed.service === service ? handed.ticket : null
}

const CONTINUE_KIND = 'cas-continue'
const CONTINUE_SECONDS = 600
type ContinueCode = { service: string; ssoSessionId: string }

/** The interstitial of `warn`: its button carries a code for this one service and session. */
export async function renderContinuePrompt(
  ctx: Context,
  exchange: Exchange,
  grant: Omit<TicketGrant, 'fresh'>,
): Promise<FastifyReply> {
  const { application, service, session, method } = grant
  const code = randomToken(32)
  await ctx.state.put(
    CONTINUE_KIND,
    code,
    { service, ssoSessionId: session.id } satisfies ContinueCode,
    CONTINUE_SECONDS,
  )
  const href = withLoginParameters(LOGIN_PATH, { service, renew: false, gateway: false, method }, { continue: code })
  return renderContinue(ctx, exchange, application, href)
}

/** Did this person, in this session, just agree to enter `service`? */
export async function redeemContinueCode(
  ctx: Context,
  code: string,
  session: SsoSession,
  service: string,
): Promise<boolean> {
  const agreed = await ctx.state.take<ContinueCode>(CONTINUE_KIND, code)
  return agreed?.ssoSessionId === session.id && agreed.service === service
}

/** Rejects a request whoever sends it; if the person is logged in, it is recorded. */
export async function refuseBeforeLogin(
  ctx: Context,
  exchange: Exchange,
  refusal: ServiceRefusal,
  application: Application | null,
): Promise<FastifyReply> {
  if (refusal === 'application.disabled') {
    const session = await findBrowserSession(ctx, exchange.request, application)
    if (session) await noteRefusal(ctx, session, application)
  }
  return refuseService(ctx, exchange, refusal, application)
}

/** Records a rejected visit, unless the person is only asked for something first. */
export async function noteRefusal(ctx: Context, session: SsoSession, application: Application | null): Promise<void> {
  const { id: ssoSessionId, userId, refusal } = session
  const isFinal = refusal === 'rule.refused' || refusal?.startsWith('application.')
  if (!refusal || !isFinal || !application || application.builtIn) return
  await recordRefusedVisit(ctx, { userId, applicationId: application.id, entry: 'sign-on', ssoSessionId, refusal })
}
