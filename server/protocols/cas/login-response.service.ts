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

/** A script that asks for JSON gets JSON; whoever also takes HTML is a browser. */
export function wantsJson({ request }: Exchange): boolean {
  const accept = request.headers.accept ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** Leads on: by redirect, or for a script as `redirectUrl`. */
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

/** No ticket, no redirect: a page that says why. @throws Refusal of that code for a script. */
export async function refuseService(
  ctx: Context,
  exchange: Exchange,
  code: ServiceRefusal,
  application: Application | null,
): Promise<FastifyReply> {
  const service = text(exchange.request.query, 'service') ?? ''
  // Without its query, which is the application's business and may hold secrets.
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

/** What the access rule says that stands against this session. */
export const refusalWords = ({ client }: Context, { refusedBy }: SsoSession): { message: string } => ({
  message: refusedBy ? ruleMessage(refusedBy, client.language) : '',
})

/** As `refuseService`, for what an access rule forbids this person here and now: in the rule's own words, where it has any. */
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

/** What of the account people fill in themselves. */
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

/** The refusal for a person without what this application knows people by. */
export const missingNameRefusal = ({ userAttribute }: Application): ServiceRefusal =>
  MISSING_NAME_REFUSALS[userAttribute] ?? 'application.user-name-missing'

/** Where a person who must change the password first is led, and from there back to the service. */
export const changePasswordUrl = (ctx: Context, service: string | null): string => {
  const back = service === null ? '' : `&service=${encodeURIComponent(service.toWellFormed())}`
  return `${ctx.config.publicUrl}/auth_web/forgot-password?type=2${back}`
}

/** Where a person who lacks a required field fills it in, and from there on to the service. */
export const completeProfileUrl = (ctx: Context, service: string | null): string => {
  const onward = service === null ? '' : `?service=${encodeURIComponent(service.toWellFormed())}`
  return `${ctx.config.publicUrl}/auth_web/complete-profile${onward}`
}

type TicketGrant = {
  application: Application
  service: string
  session: Pick<SsoSession, 'id' | 'userId'>
  /** On fresh credentials. */
  fresh: boolean
  method: TicketMethod
}

/** Issues the ticket and sends the browser to the service with it. The gate has been asked. */
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

/** Sends the browser to the service with the ticket that has been issued for it. */
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
  // A script can't post a form across sites by itself, so it is led to the page that does.
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

/** The ticket that `admit` kept for this page, session and service; null when there is none. */
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

/** Did this person, in this session, just agree to go on to `service`? */
export async function redeemContinueCode(
  ctx: Context,
  code: string,
  session: SsoSession,
  service: string,
): Promise<boolean> {
  const agreed = await ctx.state.take<ContinueCode>(CONTINUE_KIND, code)
  return agreed?.ssoSessionId === session.id && agreed.service === service
}

/** Whatever is refused whoever comes, of which a person who is logged in has a record all the same. */
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

/** Whoever is kept out of an application, and is not merely asked for something first, leaves a record of the visit. */
export async function noteRefusal(ctx: Context, session: SsoSession, application: Application | null): Promise<void> {
  const { id: ssoSessionId, userId, refusal } = session
  const isFinal = refusal === 'rule.refused' || refusal?.startsWith('application.')
  if (!refusal || !isFinal || !application || application.builtIn) return
  await recordRefusedVisit(ctx, { userId, applicationId: application.id, way: 'sign-on', ssoSessionId, refusal })
}
