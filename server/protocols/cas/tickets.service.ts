import { v7 } from 'uuid'
import { canonicalService, parseWebAddress, withoutTicket } from '#shared/rules/redirect-target.ts'
import type { Application } from '../../features/applications/index.ts'
import { loadClientDetails } from '../../features/records/index.ts'
import { signInPolicy } from '../../features/sign-in-policy/index.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { insertTicket, insertTicketWithVisit, type NewTicket } from './tickets.store.ts'

/** `ST-` (login) or `PT-` (proxy): part of the ticket, so that one never passes for the other. */
export type TicketKind = 'ST' | 'PT'

/** 32 characters in all, which the oldest clients take; about 172 random bits. */
const RANDOM_CHARACTERS = 29
const WELL_FORMED = /^(ST|PT)-[A-Za-z0-9]{29}$/

export const toCanonicalService = (service: string): string | null => {
  const url = parseWebAddress(service)
  return url && canonicalService(url)
}

type TicketInput = {
  application: Application
  /** As it was received. */
  service: string
  session: { id: string; userId: string }
  fresh: boolean
  browser?: string | null
  proxies?: string[]
}

/**
 * Issues a service ticket; the caller has asked the gate. Ticket, single-logout record and the record of the visit are one
 * statement.
 */
export async function issueServiceTicket(ctx: Context, input: TicketInput): Promise<string> {
  const ticket = `ST-${randomToken(RANDOM_CHARACTERS)}`
  const row = await toTicketRow(ctx, ticket, input)
  if (input.application.builtIn) {
    await insertTicket(ctx.db, row)
    return ticket
  }
  const visit = { id: v7(), userId: input.session.userId, details: await loadClientDetails(ctx) }
  await insertTicketWithVisit(ctx.db, row, visit)
  return ticket
}

/** Issues a proxy ticket for `service`; nobody visits, but single logout will have to name it. */
export async function issueProxyTicket(ctx: Context, input: TicketInput & { proxies: string[] }): Promise<string> {
  const ticket = `PT-${randomToken(RANDOM_CHARACTERS)}`
  await insertTicket(ctx.db, await toTicketRow(ctx, ticket, input))
  return ticket
}

async function toTicketRow(ctx: Context, ticket: string, input: TicketInput): Promise<NewTicket> {
  const { serviceTicketSeconds } = await signInPolicy(ctx)
  const at = ctx.now()
  return {
    id: v7(),
    ssoSessionId: input.session.id,
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

/** What kind of ticket this looks like; null for anything that was never issued here. */
export const parseTicketKind = (ticket: string): TicketKind | null => {
  const kind = WELL_FORMED.exec(ticket)?.[1]
  return kind === 'ST' || kind === 'PT' ? kind : null
}
