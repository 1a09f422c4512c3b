import {
  type Application,
  findApplicationById,
  type Person,
  releasedAttributes,
  userNameFor,
} from '../../features/applications/index.ts'
import { type SsoSession, sessionOfTicket } from '../../features/sessions/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { casOptionsOf } from './cas-options.ts'
import { obtainProxyGrantingTicket } from './proxy-callback.ts'
import { canonicalOf, ticketKind } from './tickets.ts'

/** Why a request is refused, with the protocol's code for it; the sentence is `cas.failure.<reason>`. */
export const FAILURES = {
  'parameters-missing': 'INVALID_REQUEST',
  'format-unknown': 'INVALID_REQUEST',
  'ticket-unknown': 'INVALID_TICKET',
  'ticket-is-proxy': 'INVALID_TICKET',
  'service-differs': 'INVALID_SERVICE',
  'not-fresh': 'INVALID_TICKET',
  'application-refused': 'INVALID_SERVICE',
  'login-ended': 'INVALID_TICKET',
  'user-name-missing': 'INVALID_TICKET',
  'proxy-not-allowed': 'UNAUTHORIZED_SERVICE_PROXY',
  'proxy-callback': 'INVALID_PROXY_CALLBACK',
  'proxy-parameters-missing': 'INVALID_REQUEST',
  'proxy-ticket-unknown': 'INVALID_TICKET',
  'target-refused': 'UNAUTHORIZED_SERVICE',
  internal: 'INTERNAL_ERROR',
} as const
export type FailureReason = keyof typeof FAILURES

/** Who presents such a ticket may be guessing. */
export const GUESSED: ReadonlySet<FailureReason> = new Set(['ticket-unknown', 'proxy-ticket-unknown'])

export type Failure = { failed: FailureReason }
export const failed = (reason: FailureReason): Failure => ({ failed: reason })

/** What an answer says. */
export type Answered = {
  user: string
  /** What the application's allow list releases, in order; values of one name together. */
  attributes: Map<string, string[]>
  authenticatedAt: Date
  remembered: boolean
  /** From a fresh interactive login. */
  fresh: boolean
  proxies: string[]
  /** What the answer shows of a proxy-granting ticket. */
  pgtIou: string | null
}

export type Success = Answered & { application: Application; session: SsoSession }

export type ValidationRequest = {
  ticket: string
  service: string
  renew: boolean
  pgtUrl: string | null
  /** Proxy tickets are taken too. */
  proxies: boolean
}

/** Characters that XML 1.0 can't carry in any spelling. */
export const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/**
 * The one validation of a ticket: whatever comes of it, the ticket is gone. One round trip.
 * @param browser for the portal's own tickets: the browser that presents it.
 */
export async function validate(
  ctx: Context,
  request: ValidationRequest,
  browser: string | null = null,
): Promise<Success | Failure> {
  const kind = ticketKind(request.ticket)
  if (!kind) return failed('ticket-unknown')
  const service = canonicalOf(request.service)
  const presented = { ticket: request.ticket, ticketHash: sha256(request.ticket), service }
  const found = await sessionOfTicket(ctx, presented)
  if (kind === 'PT' && !request.proxies) return failed('ticket-is-proxy')
  if (!found) return failed('ticket-unknown')
  const { ticket } = found
  if (service !== ticket.service) return failed('service-differs')
  if (ticket.browser !== browser) return failed('ticket-unknown')
  if (request.renew && !ticket.fresh) return failed('not-fresh')
  const application = await findApplicationById(ctx, ticket.applicationId)
  if (!application) return failed('application-refused')
  const success = released(found, application)
  if ('failed' in success || request.pgtUrl === null) return success
  return withProxyGrantingTicket(ctx, success, request.pgtUrl)
}

type Found = NonNullable<Awaited<ReturnType<typeof sessionOfTicket>>>

/** What may be said of the person, if the gate still opens. */
function released({ ticket, session, person }: Found, application: Application): Success | Failure {
  const { refusal } = session
  if (refusal === 'application.disabled' || refusal === 'application.not-granted') return failed('application-refused')
  if (refusal) return failed('login-ended')
  const user = userFor(application, person)
  if (user === null) return failed('user-name-missing')
  return {
    user,
    attributes: releasedAttributes(application.attributes, person),
    authenticatedAt: session.authenticatedAt,
    remembered: session.remembered,
    fresh: ticket.fresh,
    proxies: ticket.proxies,
    pgtIou: null,
    application,
    session,
  }
}

/** `cas:user`; null when the person has no value that an answer could carry as it is. */
export function userFor(application: Application, person: Person): string | null {
  const user = userNameFor(application.userAttribute, person)
  // Dropping a character from a user name could make it another person's.
  return user === null || user !== user.trim() || /\p{Cc}/u.test(user) || user.search(NOT_XML) >= 0 ? null : user
}

async function withProxyGrantingTicket(ctx: Context, success: Success, pgtUrl: string): Promise<Success | Failure> {
  const { application, session, proxies } = success
  if (!application.proxy) return failed('proxy-not-allowed')
  const pgtIou = await obtainProxyGrantingTicket(ctx, { application, ssoSessionId: session.id, pgtUrl, proxies })
  if (pgtIou === null && !casOptionsOf(application).succeedWithoutPgt) return failed('proxy-callback')
  return { ...success, pgtIou }
}
