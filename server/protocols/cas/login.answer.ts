import type { FastifyReply } from 'fastify'
import { withTicket } from '#shared/rules/redirect-target.ts'
import type { Application } from '../../features/applications/index.ts'
import { recordRefusedRequest } from '../../features/records/index.ts'
import { bindBrowser, type SsoSession } from '../../features/sessions/index.ts'
import { issuerOf } from '../../features/signing-keys/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import { answerData } from '../../platform/http/answer.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { errors } from './cas.errors.ts'
import { LOGIN_PATH, labelOf, renderContinue, renderNotice, renderTicketForm } from './pages.ts'
import { addressWith, headerAddress, type LoginParameters, text } from './parameters.ts'
import { issueServiceTicket } from './tickets.ts'

/** A script that asks for JSON gets JSON; whoever also takes HTML is a browser. */
export function wantsJson({ request }: Exchange): boolean {
  const accept = request.headers.accept ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** Leads on: by redirect, or for a script as `redirectUrl`. */
export function leadTo(ctx: Context, exchange: Exchange, address: string): FastifyReply {
  if (wantsJson(exchange)) return answerData(ctx, exchange.request, exchange.reply, { redirectUrl: address })
  return exchange.reply.redirect(headerAddress(address), 302)
}

const NOTICE = {
  'application.unknown': 'application-unknown',
  'application.disabled': 'application-disabled',
  'application.not-granted': 'application-denied',
} as const

/** No ticket, no redirect: a page that says why. @throws Refusal of that code for a script. */
export async function refuseService(
  ctx: Context,
  exchange: Exchange,
  code: keyof typeof NOTICE,
  application: Application | null,
): Promise<FastifyReply> {
  const service = text(exchange.request.query, 'service') ?? ''
  // Without its query, which is the application's business and may hold secrets.
  await recordRefusedRequest(ctx, { claimed: application?.appId ?? service.replace(/[?#].*/s, ''), reason: code })
  if (wantsJson(exchange)) throw errors[code]()
  return renderNotice(ctx, exchange, {
    name: NOTICE[code],
    application: application && labelOf(application),
    status: 403,
  })
}

/** Where a person who must change the password first is led, and from there back to the service. */
export const changePasswordAddress = (ctx: Context, service: string | null): string => {
  const back = service === null ? '' : `&service=${encodeURIComponent(service.toWellFormed())}`
  return `${ctx.config.publicUrl}/auth_web/forgot-password?type=2${back}`
}

type Admission = {
  application: Application
  service: string
  session: Pick<SsoSession, 'id' | 'userId'>
  /** On fresh credentials. */
  fresh: boolean
  method: LoginParameters['method']
}

/** Issues the ticket and sends the browser to the service with it. The gate has been asked. */
export async function admit(ctx: Context, exchange: Exchange, admission: Admission): Promise<FastifyReply> {
  const { application, service } = admission
  // An OpenID request goes on where it was interrupted, and gets its code there.
  if (application.client || service.startsWith(`${issuerOf(ctx.config)}/`)) return leadTo(ctx, exchange, service)
  const browser = application.builtIn ? bindBrowser(ctx.config, exchange.request, exchange.reply) : null
  const ticket = await issueServiceTicket(ctx, { ...admission, browser })
  if (admission.method === 'GET') return leadTo(ctx, exchange, withTicket(service, ticket))
  if (!wantsJson(exchange)) return renderTicketForm(ctx, exchange, application, service, ticket)
  // A script can't post a form across sites by itself, so it is led to the page that does.
  const handed = randomToken(32)
  const parameters = { service, renew: false, gateway: false, method: admission.method }
  await ctx.state.put(HANDED, handed, { ticket, service, ssoSessionId: admission.session.id } satisfies Handed, 60)
  return leadTo(ctx, exchange, ctx.config.publicUrl + addressWith(LOGIN_PATH, parameters, { handed }))
}

const HANDED = 'cas-handed'
type Handed = { ticket: string; service: string; ssoSessionId: string }

/** The ticket that `admit` kept for this page, session and service; null when there is none. */
export async function takeHanded(
  ctx: Context,
  code: string,
  session: SsoSession,
  service: string,
): Promise<string | null> {
  const handed = await ctx.state.take<Handed>(HANDED, code)
  return handed?.ssoSessionId === session.id && handed.service === service ? handed.ticket : null
}

const CONTINUE = 'cas-continue'
const CONTINUE_SECONDS = 600
type Continue = { service: string; ssoSessionId: string }

/** The interstitial of `warn`: its button carries a code for this one service and session. */
export async function askToContinue(
  ctx: Context,
  exchange: Exchange,
  admission: Omit<Admission, 'fresh'>,
): Promise<FastifyReply> {
  const { application, service, session, method } = admission
  const code = randomToken(32)
  await ctx.state.put(CONTINUE, code, { service, ssoSessionId: session.id } satisfies Continue, CONTINUE_SECONDS)
  const href = addressWith(LOGIN_PATH, { service, renew: false, gateway: false, method }, { continue: code })
  return renderContinue(ctx, exchange, application, href)
}

/** Did this person, in this session, just agree to go on to `service`? */
export async function hasAgreed(ctx: Context, code: string, session: SsoSession, service: string): Promise<boolean> {
  const agreed = await ctx.state.take<Continue>(CONTINUE, code)
  return agreed?.ssoSessionId === session.id && agreed.service === service
}
