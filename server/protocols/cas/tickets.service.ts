import type { FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import { canonicalService, parseWebAddress, withoutTicket } from '#shared/rules/redirect-target.ts'
import type { Application } from '../../features/applications/index.ts'
import { loadClientDetails } from '../../features/records/index.ts'
import {
  findBrowserSession,
  insertTicket,
  insertTicketWithVisit,
  issueTicketOnSession,
  type SsoSession,
  type TicketFacts,
} from '../../features/sessions/index.ts'
import { signInPolicy } from '../../features/sign-in-policy/index.ts'
import { issuerOf } from '../../features/signing-keys/index.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { type LoginParameters, text } from './parameters.rules.ts'

/** `ST-` (login) or `PT-` (proxy): part of the ticket, so that one is never accepted as the other. */
export type TicketKind = 'ST' | 'PT'

/** 32 characters in total, which the oldest clients accept; about 172 random bits. */
const RANDOM_CHARACTERS = 29
const WELL_FORMED = /^(ST|PT)-[A-Za-z0-9]{29}$/

const newTicket = (kind: TicketKind): string => `${kind}-${randomToken(RANDOM_CHARACTERS)}`

export const toCanonicalService = (service: string): string | null => {
  const url = parseWebAddress(service)
  return url && canonicalService(url)
}

type TicketService = {
  application: Application
  /** As received. */
  service: string
  fresh: boolean
  browser?: string | null
  proxies?: string[]
}
type TicketInput = TicketService & { session: { id: string; userId: string } }

/**
 * Issues a service ticket; the caller has asked the gate. Ticket, single-logout record and the record of the visit are one
 * statement.
 */
export async function issueServiceTicket(ctx: Context, input: TicketInput): Promise<string> {
  const ticket = newTicket('ST')
  const row = { ...(await toTicketFacts(ctx, ticket, input)), ssoSessionId: input.session.id }
  if (input.application.builtIn) {
    await insertTicket(ctx.db, row)
    return ticket
  }
  const visit = { visitId: v7(), userId: input.session.userId, details: await loadClientDetails(ctx) }
  await insertTicketWithVisit(ctx.db, row, visit)
  return ticket
}

/** An OpenID Connect request continues where it was interrupted, and gets its code there. */
export const continuesAtProvider = (ctx: Context, application: Application, service: string): boolean =>
  application.client !== null || service.startsWith(`${issuerOf(ctx.config)}/`)

/**
 * The session of a browser at /login; on the way into an application also the ticket, if the entry is allowed without a question. Without
 * one, the session may still qualify for one later.
 */
export async function findSessionOrIssueTicket(
  ctx: Context,
  request: FastifyRequest,
  { service, renew }: LoginParameters,
  application: Application | null,
): Promise<{ session: SsoSession | null; ticket: string | null }> {
  const isHop =
    application && service !== null && !application.builtIn && !renew && text(request.query, 'handed') === null
  if (!isHop || continuesAtProvider(ctx, application, service)) {
    return { session: await findBrowserSession(ctx, request, application), ticket: null }
  }
  const ticket = newTicket('ST')
  const facts = await toTicketFacts(ctx, ticket, { application, service, fresh: false })
  const { session, issued } = await issueTicketOnSession(ctx, request, { application, ticket: facts })
  return { session, ticket: issued ? ticket : null }
}

/** Issues a proxy ticket for `service`; this is no visit, but single logout will have to name it. */
export async function issueProxyTicket(ctx: Context, input: TicketInput & { proxies: string[] }): Promise<string> {
  const ticket = newTicket('PT')
  await insertTicket(ctx.db, { ...(await toTicketFacts(ctx, ticket, input)), ssoSessionId: input.session.id })
  return ticket
}

async function toTicketFacts(ctx: Context, ticket: string, input: TicketService): Promise<TicketFacts> {
  const { serviceTicketSeconds } = await signInPolicy(ctx)
  const at = ctx.now()
  return {
    id: v7(),
    applicationId: input.application.id,
    // Single logout posts there, and clients take a call with a ticket for a login.
    serviceUrl: withoutTicket(input.service).split('#', 1)[0] ?? '',
    service: toCanonicalService(input.service) ?? '',
    ticketHash: sha256(ticket),
    fresh: input.fresh,
    browser: input.browser ?? null,
    proxies: input.proxies ?? [],
    at,
    expiresAt: new Date(at.getTime() + serviceTicketSeconds * 1000),
  }
}

/** The kind of this ticket by its form; null for anything that was never issued here. */
export const parseTicketKind = (ticket: string): TicketKind | null => {
  const kind = WELL_FORMED.exec(ticket)?.[1]
  return kind === 'ST' || kind === 'PT' ? kind : null
}
