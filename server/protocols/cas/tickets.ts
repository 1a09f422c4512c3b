import { v7 } from 'uuid'
import { canonicalService, parseWebAddress } from '#shared/rules/redirect-target.ts'
import type { Application } from '../../features/applications/index.ts'
import { clientDetails } from '../../features/records/index.ts'
import { signInPolicy } from '../../features/sign-in-policy/index.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'
import { insertServiceVisit, insertSessionService, type NewSessionService } from './tickets.store.ts'

/** `ST-` (login) or `PT-` (proxy): part of the ticket, so that one never passes for the other. */
export type TicketKind = 'ST' | 'PT'

/** 32 characters in all, which the oldest clients take; about 172 random bits. */
const RANDOM_CHARACTERS = 29
const WELL_FORMED = /^(ST|PT)-[A-Za-z0-9]{29}$/

export const canonicalOf = (service: string): string | null => {
  const url = parseWebAddress(service)
  return url && canonicalService(url)
}

type Grant = {
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
export async function issueServiceTicket(ctx: Context, grant: Grant): Promise<string> {
  const ticket = `ST-${randomToken(RANDOM_CHARACTERS)}`
  const row = await rowOf(ctx, ticket, grant)
  if (grant.application.builtIn) {
    await insertSessionService(ctx.db, row)
    return ticket
  }
  const visit = { id: v7(), userId: grant.session.userId, details: await clientDetails(ctx) }
  await insertServiceVisit(ctx.db, row, visit)
  return ticket
}

/** Issues a proxy ticket for `service`; nobody visits, but single logout will have to name it. */
export async function issueProxyTicket(ctx: Context, grant: Grant & { proxies: string[] }): Promise<string> {
  const ticket = `PT-${randomToken(RANDOM_CHARACTERS)}`
  await insertSessionService(ctx.db, await rowOf(ctx, ticket, grant))
  return ticket
}

async function rowOf(ctx: Context, ticket: string, grant: Grant): Promise<NewSessionService> {
  const { serviceTicketSeconds } = await signInPolicy(ctx)
  const at = ctx.now()
  return {
    id: v7(),
    ssoSessionId: grant.session.id,
    applicationId: grant.application.id,
    serviceUrl: grant.service.split('#', 1)[0] ?? '',
    service: canonicalOf(grant.service) ?? '',
    ticketHash: sha256(ticket),
    fresh: grant.fresh,
    browser: grant.browser ?? null,
    proxies: grant.proxies ?? [],
    at,
    expiresAt: new Date(at.getTime() + serviceTicketSeconds * 1000),
  }
}

/** What kind of ticket this looks like; null for anything that was never issued here. */
export const ticketKind = (ticket: string): TicketKind | null => {
  const kind = WELL_FORMED.exec(ticket)?.[1]
  return kind === 'ST' || kind === 'PT' ? kind : null
}
