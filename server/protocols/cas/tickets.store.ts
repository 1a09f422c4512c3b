import type { ClientDetails } from '../../features/records/index.ts'
import type { Db } from '../../platform/db.ts'

export type NewTicket = {
  id: string
  ssoSessionId: string
  applicationId: string
  /** As it was received, without a ticket. */
  serviceUrl: string
  /** The canonical form of it that the validation must name. */
  service: string
  ticketHash: Buffer
  /** Issued on a fresh presentation of credentials, which is what `renew` asks for. */
  fresh: boolean
  /** The portal's own tickets work only in the browser they were issued to. */
  browser: string | null
  /** Proxy call-backs, the most recent first. */
  proxies: string[]
  at: Date
  expiresAt: Date
}

const insertTicketQuery = (db: Db, s: NewTicket) => db`
  insert into session_services (id, sso_session_id, application_id, service_url, service, ticket_hash, fresh, browser, proxies,
    issued_at, expires_at)
  values (${s.id}, ${s.ssoSessionId}, ${s.applicationId}, ${s.serviceUrl}, ${s.service}, ${s.ticketHash}, ${s.fresh},
    ${s.browser}, ${s.proxies}::text[], ${s.at}, ${s.expiresAt})`

/** Keeps a ticket (as a hash) until its one validation, and which service it went to for single logout. */
export async function insertTicket(db: Db, s: NewTicket): Promise<void> {
  await insertTicketQuery(db, s)
}

type Visit = { id: string; userId: string; details: ClientDetails }

/** `insertSessionService` and the record of the person's visit in one statement: every hop pays for it. */
export async function insertTicketWithVisit(db: Db, s: NewTicket, visit: Visit): Promise<void> {
  const { details } = visit
  await db`
    with visit as (
      insert into visit_records (id, at, user_id, application_id, way, ip, client_type, on_campus, sso_session_id)
      values (${visit.id}, ${s.at}, ${visit.userId}, ${s.applicationId}, 'sign-on', ${details.ip}, ${details.clientType},
        ${details.onCampus}, ${s.ssoSessionId})
    )
    ${insertTicketQuery(db, s)}`
}
