import type { RuleOutcome } from '#shared/contract/access-rules.ts'
import type { Db } from '../../platform/db.ts'
import { createStatement } from '../../platform/statement.ts'
import { mayApply, type NamedPeople, namedCondition, needsOf, peopleNamedIn } from '../access/index.ts'
import type { Application } from '../applications/index.ts'
import { type ClientDetails, insertVisitsText } from '../records/index.ts'
import type { GateSettings } from './gate-settings.service.ts'
import { byShape, NOTHING_RELEASED, type SessionShape, sessionShape } from './session-shape.rules.ts'
import { SESSION_BY_SECRET, type SessionRow } from './sso-session.store.ts'

/** A service or proxy ticket, without the session that it belongs to. */
export type TicketFacts = {
  id: string
  applicationId: string
  /** As received, without a ticket. */
  serviceUrl: string
  /** Its canonical form, which the validation must name. */
  service: string
  ticketHash: Buffer
  /** Issued on a fresh presentation of credentials, as `renew` requires. */
  fresh: boolean
  /** The portal's own tickets work only in the browser they were issued to. */
  browser: string | null
  /** Proxy callbacks, the most recent first. */
  proxies: string[]
  at: Date
  expiresAt: Date
}

type NewTicket = TicketFacts & { ssoSessionId: string }

const TICKET_COLUMNS = `id, sso_session_id, application_id, service_url, service, ticket_hash, fresh, browser, proxies, issued_at,
  expires_at`
const ticketValues = (ssoSessionId: string) => `:id::uuid, ${ssoSessionId}, :applicationId::uuid, :serviceUrl::text,
  :service::text, :ticketHash::bytea, :fresh::boolean, :browser::text, :proxies::text[], :at::timestamptz, :expiresAt::timestamptz`
const visitValues = (
  userId: string,
  ssoSessionId: string,
) => `:visitId::uuid, :at::timestamptz, ${userId}, :applicationId::uuid,
  'sign-on', :ip::inet, :clientType::text, :onCampus::boolean, :ipRange::text, ${ssoSessionId}`

const INSERT_TICKET = `insert into session_services (${TICKET_COLUMNS}) select ${ticketValues(':ssoSessionId::uuid')}`
const insert = createStatement(INSERT_TICKET)
const insertWithVisit = createStatement(
  `with visit as (${insertVisitsText(`select ${visitValues(':userId::uuid', ':ssoSessionId::uuid')}`)}) ${INSERT_TICKET}`,
)

/** Stores a ticket (as a hash) until its one validation, and the service it was issued for, for single logout. */
export async function insertTicket(db: Db, ticket: NewTicket): Promise<void> {
  await insert(db, ticket)
}

type Visit = { visitId: string; details: ClientDetails }

const visitParameters = ({ visitId, details }: Visit) => ({
  visitId,
  ip: details.ip,
  clientType: details.clientType,
  onCampus: details.onCampus,
  ipRange: details.ipRange,
})

/** `insertTicket` and the record of the person's visit in one statement. */
export async function insertTicketWithVisit(
  db: Db,
  ticket: NewTicket,
  visit: Visit & { userId: string },
): Promise<void> {
  await insertWithVisit(db, { ...ticket, ...visitParameters(visit), userId: visit.userId })
}

/**
 * SQL condition on a row `f` of `SessionRow`: the gate allows the entry, and no question has to be asked. Stricter than the gate, never
 * laxer: anything unusual takes the slow path, where the gate decides.
 */
const isOrdinary = (
  shape: SessionShape,
) => `f.enabled and f.activated and f.deleted_at is null and f.locked_at is null and f.frozen_from is null
  and (f.valid_from is null or f.valid_from <= :at) and (f.valid_until is null or f.valid_until > :at)
  and f.ended_at is null and f.expires_at > :at and (f.remembered or f.last_seen_at > :idleSince)
  and not f.limited and not f.lacks_fields and not f.warn and f.application_enabled and f.granted and f.user_name ~ '^[!-~]+$'
  and not (${namedCondition('refused', shape)}) and (f.second_factor_at is not null or not (${namedCondition('asked', shape)}))`

const issueBySecret = byShape((shape) =>
  createStatement<SessionRow & { issued: boolean }>(`
    with found as materialized (${SESSION_BY_SECRET.withApplication(shape)}),
    ordinary as materialized (select f.id, f.user_id from found f where ${isOrdinary(shape)}),
    visit as (${insertVisitsText(`select ${visitValues('o.user_id', 'o.id')} from ordinary o`)}),
    ticket as (
      insert into session_services (${TICKET_COLUMNS}) select ${ticketValues('o.id')} from ordinary o
      returning true
    )
    select f.*, exists (select from ticket) as issued from found f`),
)

const namedParameters = (prefix: 'refused' | 'asked', named: NamedPeople) => ({
  [`${prefix}Everybody`]: named.everybody,
  [`${prefix}Administrators`]: named.administrators,
  [`${prefix}Categories`]: named.categories,
  [`${prefix}Organizations`]: named.organizations,
  [`${prefix}Roles`]: named.roles,
})

/** The request of a browser with a session for a ticket of a CAS application. */
export type TicketRequest = Visit & { application: Application; ticket: TicketFacts; settings: GateSettings }

/**
 * The session with this secret and what the person may do with the application, as `findSessionBySecret`; if the entry is allowed without a
 * question, the same statement issues the ticket and records the visit.
 * @returns `issued` false: nothing was written.
 */
export async function issueTicketBySecret(db: Db, secretHash: Buffer, request: TicketRequest) {
  const { application, ticket, settings, details } = request
  const { policy, rules } = settings
  const facts = { place: details, at: ticket.at, appId: application.appId }
  const applicable = rules.onHops.filter((rule) => mayApply(rule, facts))
  const { requiredFields } = rules
  const shape = sessionShape({ hopNeeds: needsOf(applicable), requiredFields }, application, NOTHING_RELEASED)
  const peopleOf = (wanted: RuleOutcome) => peopleNamedIn(applicable.filter(({ outcome }) => outcome === wanted))
  const [row] = await issueBySecret(shape)(db, {
    ...shape.parameters,
    ...ticket,
    ...visitParameters(request),
    key: secretHash,
    now: ticket.at,
    idleSince: new Date(ticket.at.getTime() - policy.sessionIdleMinutes * 60_000),
    ...namedParameters('refused', peopleOf('refuse')),
    ...namedParameters('asked', peopleOf('second-factor')),
  })
  return row ? { row, shape } : null
}
