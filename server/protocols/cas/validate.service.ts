import {
  type Application,
  findApplicationById,
  findApplicationByService,
  releasedAttributes,
  userNameFor,
} from '../../features/applications/index.ts'
import { redeemTicket, type SsoSession } from '../../features/sessions/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { casOptionsOf } from './cas-options.rules.ts'
import { obtainProxyGrantingTicket } from './proxy-callback.service.ts'
import { parseTicketKind, toCanonicalService } from './tickets.service.ts'

/** Why a request fails, with the protocol's code for it; the message is `cas.failure.<reason>`. */
export const FAILURE_CODES = {
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
export type FailureReason = keyof typeof FAILURE_CODES

/** Failures that may be guessing. */
export const GUESS_REASONS: ReadonlySet<FailureReason> = new Set(['ticket-unknown', 'proxy-ticket-unknown'])

export type ValidationFailure = { failed: FailureReason }
export const failed = (reason: FailureReason): ValidationFailure => ({ failed: reason })

/** The content of an answer. */
export type ServiceResponse = {
  user: string
  /** What the application's allow list releases, in order, with the values of each name. */
  attributes: Map<string, string[]>
  authenticatedAt: Date
  remembered: boolean
  /** By a fresh interactive login. */
  fresh: boolean
  proxies: string[]
  /** The part of a proxy-granting ticket that the answer shows. */
  pgtIou: string | null
}

export type ValidationSuccess = ServiceResponse & { application: Application; session: SsoSession }

export type ValidationRequest = {
  ticket: string
  service: string
  renew: boolean
  pgtUrl: string | null
  /** Proxy tickets are accepted too. */
  proxies: boolean
}

/**
 * The one validation of a ticket: it is consumed whatever the result. One round trip.
 * @param browser for the portal's own tickets: the browser that presents it.
 */
export async function validateTicket(
  ctx: Context,
  request: ValidationRequest,
  browser: string | null = null,
): Promise<ValidationSuccess | ValidationFailure> {
  const kind = parseTicketKind(request.ticket)
  if (!kind) return failed('ticket-unknown')
  const service = toCanonicalService(request.service)
  const presented = { ticket: request.ticket, ticketHash: sha256(request.ticket), service }
  const found = await redeemTicket(ctx, presented, await findApplicationByService(ctx, request.service))
  if (kind === 'PT' && !request.proxies) return failed('ticket-is-proxy')
  if (!found) return failed('ticket-unknown')
  const { ticket } = found
  if (service !== ticket.service) return failed('service-differs')
  if (ticket.browser !== browser) return failed('ticket-unknown')
  if (request.renew && !ticket.fresh) return failed('not-fresh')
  const application = await findApplicationById(ctx, ticket.applicationId)
  if (!application) return failed('application-refused')
  const success = toServiceResponse(found, application)
  if ('failed' in success || request.pgtUrl === null) return success
  return withProxyGrantingTicket(ctx, success, request.pgtUrl)
}

type RedeemedTicket = NonNullable<Awaited<ReturnType<typeof redeemTicket>>>

/** What may be released about the person, if the gate still allows it. */
function toServiceResponse(
  { ticket, session, person }: RedeemedTicket,
  application: Application,
): ValidationSuccess | ValidationFailure {
  const { refusal } = session
  if (refusal === 'rule.refused') return failed('application-refused')
  if (refusal === 'application.disabled' || refusal === 'application.not-granted') return failed('application-refused')
  if (refusal === 'application.user-name-missing') return failed('user-name-missing')
  if (refusal) return failed('login-ended')
  const user = userNameFor(application.userAttribute, person)
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

async function withProxyGrantingTicket(
  ctx: Context,
  success: ValidationSuccess,
  pgtUrl: string,
): Promise<ValidationSuccess | ValidationFailure> {
  const { application, session, proxies } = success
  if (!application.proxy) return failed('proxy-not-allowed')
  const pgtIou = await obtainProxyGrantingTicket(ctx, { application, ssoSessionId: session.id, pgtUrl, proxies })
  if (pgtIou === null && !casOptionsOf(application).succeedWithoutPgt) return failed('proxy-callback')
  return { ...success, pgtIou }
}
