import type { SessionEndReason } from '#shared/contract/session-ends.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { latestIssueTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { createStatement, toFragment } from '../../platform/statement.ts'
import {
  type AccountFacts,
  applicationFactColumns,
  demandsText,
  type RuleFactsRow,
  type RulesInForce,
  withRoleGrants,
} from '../access/index.ts'
import type { Application, PersonAttributes } from '../applications/index.ts'
import { isPasswordTooOld } from '../password-demands/index.ts'
import type { ClientDetails } from '../records/index.ts'
import { insertLogoutDeliveries } from '../single-logout/index.ts'
import {
  byShape,
  NO_APPLICATION_COLUMNS,
  NOTHING_RELEASED,
  personColumns,
  personJoins,
  type SessionShape,
  sessionColumns,
  sessionShape,
} from './session-shape.rules.ts'

type NewSsoSession = {
  id: string
  secretHash: Buffer
  userId: string
  authType: string
  remembered: boolean
  warn: boolean
  at: Date
  expiresAt: Date
  details: ClientDetails
  /** What was proved besides the first factor; null: nothing. */
  secondFactor: SecondFactor | null
  /** The policy that limits the age of the password they logged in with; null: another login method. */
  passwordPolicy: SignInPolicy | null
}

/** `device`: a trusted browser. */
export type SecondFactor = 'totp' | 'recovery' | 'passkey' | 'device'

/** Whether the person must change the password before anything else, at the moment of the statement. */
function isLimited(db: Db, { userId, passwordPolicy, at }: NewSsoSession) {
  const isTooOld = passwordPolicy && isPasswordTooOld(db, passwordPolicy, at)
  const must = db`coalesce((select must_change_password from users where id = ${userId}), false)`
  if (!isTooOld) return must
  return db`
    (${must} or exists (select from passwords p join users u on u.id = p.user_id where u.id = ${userId} and ${isTooOld}))`
}

/** Whether the person lacks a required field, at the moment of the statement. */
const isProfileDue = (db: Db, userId: string, { requiredFields }: RulesInForce) =>
  requiredFields.length === 0
    ? db`false`
    : db`coalesce((select ${toFragment(db, demandsText(requiredFields), {})} from users u where u.id = ${userId}), false)`

/** @returns the new session with the facts that the gate reads, for `application` */
export async function insertSsoSession(db: Db, s: NewSsoSession, query: SessionQuery): Promise<SessionRow> {
  const { details } = s
  const shape = shapeOf(query)
  const [row] = await db<SessionRow[]>`
    with s as (
      insert into sso_sessions (id, secret_hash, user_id, auth_type, remembered, warn, limited, profile_due, authenticated_at,
        opened_at, last_seen_at, expires_at, ip, user_agent, browser, device, client_type, on_campus, second_factor, second_factor_at)
      values (${s.id}, ${s.secretHash}, ${s.userId}, ${s.authType}, ${s.remembered}, ${s.warn}, ${isLimited(db, s)},
        ${isProfileDue(db, s.userId, query.rules)}, ${s.at}, ${s.at}, ${s.at}, ${s.expiresAt}, ${details.ip}, ${details.userAgent}, ${details.browser}, ${details.device},
        ${details.clientType}, ${details.onCampus}, ${s.secondFactor}, ${s.secondFactor && s.at})
      returning *
    ) ${selectOpened(db, query, shape)}`
  if (!row) throw new Error('a session whose person or application is gone was opened')
  return withGrants(db, row, query, shape)
}

/**
 * Gives a session that logged in again a new secret and fresh facts; its services are kept for single logout.
 * @returns as `insertSsoSession`; null if it has ended meanwhile
 */
export async function renewSsoSession(db: Db, s: NewSsoSession, query: SessionQuery): Promise<SessionRow | null> {
  const shape = shapeOf(query)
  const [row] = await db<SessionRow[]>`
    with s as (
      update sso_sessions set secret_hash = ${s.secretHash}, auth_type = ${s.authType}, remembered = ${s.remembered},
        warn = ${s.warn}, limited = ${isLimited(db, s)}, profile_due = ${isProfileDue(db, s.userId, query.rules)},
        authenticated_at = ${s.at}, last_seen_at = ${s.at},
        expires_at = ${s.expiresAt}, ip = ${s.details.ip}, user_agent = ${s.details.userAgent}, browser = ${s.details.browser},
        device = ${s.details.device}, client_type = ${s.details.clientType}, on_campus = ${s.details.onCampus},
        second_factor = ${s.secondFactor}, second_factor_at = ${s.secondFactor && s.at}
      where id = ${s.id} and ended_at is null
      returning *
    ) ${selectOpened(db, query, shape)}`
  return row ? await withGrants(db, row, query, shape) : null
}

/** A session with the facts that the gate reads; flat, as one row. */
export type SessionRow = AccountFacts &
  RuleFactsRow & {
    id: string
    userId: string
    authType: string
    remembered: boolean
    warn: boolean
    limited: boolean
    lacksFields: boolean
    authenticatedAt: Date
    openedAt: Date
    lastSeenAt: Date
    expiresAt: Date
    endedAt: Date | null
    isSuperUser: boolean
    secondFactor: SecondFactor | null
    secondFactorAt: Date | null
    /** Null if no application was given. */
    applicationEnabled: boolean | null
    granted: boolean | null
    /** The name by which the application knows the person. */
    userName: string | null
  }

const APPLICATION_JOINS = `left join organizations o on o.id = u.organization_id join applications a on a.id = :applicationId`

/** @param from the source of the session `s`: a table, and a condition after it */
const selectSession = (from: string, condition = 'true') => ({
  alone: byShape(
    (shape) => `select ${sessionColumns(shape)}, ${NO_APPLICATION_COLUMNS}
      from ${from} join users u on u.id = s.user_id where ${condition}`,
  ),
  withApplication: byShape(
    (shape) => `select ${sessionColumns(shape)}, ${applicationFactColumns(shape.roleGrants)}
      from ${from} join users u on u.id = s.user_id ${APPLICATION_JOINS} where ${condition}`,
  ),
})

function findSession({ alone, withApplication }: ReturnType<typeof selectSession>) {
  return {
    alone: byShape((shape) => createStatement<SessionRow>(alone(shape))),
    withApplication: byShape((shape) => createStatement<SessionRow>(withApplication(shape))),
  }
}

/** `SessionRow` of the session whose secret has the hash `:key` (SQL). */
export const SESSION_BY_SECRET = selectSession('sso_sessions s', 's.secret_hash = :key')
const BY_SECRET = findSession(SESSION_BY_SECRET)
const BY_ID = findSession(selectSession('sso_sessions s', 's.id = :key'))
const OPENED = selectSession('s')

/** `SessionRow` of the session `s` that a statement has just written. */
function selectOpened(db: Db, { application, now }: SessionQuery, shape: SessionShape) {
  const text = application ? OPENED.withApplication(shape) : OPENED.alone(shape)
  return toFragment(db, text, { ...shape.parameters, now, applicationId: application?.id ?? null })
}

const shapeOf = ({ rules, application }: SessionQuery) => sessionShape(rules, application, NOTHING_RELEASED)

/** @param shape of the statement that read `row`; not computed again, as it may have changed meanwhile */
const withGrants = (db: Db, row: SessionRow, { application, now }: SessionQuery, shape: SessionShape) =>
  application ? completeGrants(db, row, shape, application.id, now) : row

type SessionQuery = { application: Application | null; rules: RulesInForce; now: Date }

/** The session with this secret, and what the person may do with `application`. */
export const findSessionBySecret = (db: Db, secretHash: Buffer, query: SessionQuery): Promise<SessionRow | null> =>
  findRow(db, BY_SECRET, secretHash, query)

/** As `findSessionBySecret`, by id: for what replaces the session's secret, such as a proxy-granting ticket. */
export const findSessionById = (db: Db, id: string, query: SessionQuery): Promise<SessionRow | null> =>
  findRow(db, BY_ID, id, query)

async function findRow(
  db: Db,
  find: ReturnType<typeof findSession>,
  key: Buffer | string,
  { application, rules, now }: SessionQuery,
): Promise<SessionRow | null> {
  const shape = sessionShape(rules, application, NOTHING_RELEASED)
  const asked = { ...shape.parameters, key, now }
  if (!application) return (await find.alone(shape)(db, asked))[0] ?? null
  const [row] = await find.withApplication(shape)(db, { ...asked, applicationId: application.id })
  return row ? await completeGrants(db, row, shape, application.id, now) : null
}

/** Checks grants to roles if the statement did not and found no other. */
export const completeGrants = <T extends SessionRow>(
  db: Db,
  row: T,
  { roleGrants }: SessionShape,
  applicationId: string,
  now: Date,
): Promise<T> | T => (roleGrants ? row : withRoleGrants(db, row, applicationId, now))

/** A ticket as presented; whether the service matches is judged afterwards, it is consumed either way. */
export type PresentedTicket = {
  ticket: string
  ticketHash: Buffer
  /** Canonical; null: not an address. */
  service: string | null
}

/** What a ticket was issued for. */
export type TicketRow = {
  applicationId: string
  appId: string
  builtIn: boolean
  service: string
  fresh: boolean
  browser: string | null
  proxies: string[]
}

const consume = byShape((shape) =>
  createStatement<TicketRow & SessionRow & PersonAttributes>(`
    with spent as (
      update session_services
      set used_at = :now, ticket = case when service = :service then :ticket end
      where ticket_hash = :ticketHash and used_at is null and expires_at > :now and issued_at <= :latestIssue
      returning sso_session_id, application_id, service, fresh, browser, proxies
    )
    select t.application_id, a.app_id, a.built_in, t.service, t.fresh, t.browser, t.proxies,
      ${sessionColumns(shape)}, ${applicationFactColumns(shape.roleGrants)}, ${personColumns(shape)}
    from spent t join sso_sessions s on s.id = t.sso_session_id join users u on u.id = s.user_id
      left join organizations o on o.id = u.organization_id ${personJoins(shape)}
      join applications a on a.id = t.application_id`),
)

/**
 * Consumes a ticket and reads the session, the person and the grants behind it in one statement: of parallel attempts on all nodes exactly
 * one gets a row. The id of a ticket consumed for its own service is stored in clear for single logout.
 */
export async function consumeTicket(db: Db, presented: PresentedTicket, shape: SessionShape, now: Date) {
  const [row] = await consume(shape)(db, { ...shape.parameters, ...presented, now, latestIssue: latestIssueTime(now) })
  return row ? await completeGrants(db, row, shape, row.applicationId, now) : null
}

const findPerson = createStatement<PersonAttributes>(`
  select u.id as user_id, ${personColumns({ affiliation: true, roles: true, custom: true })}
  from users u left join organizations o on o.id = u.organization_id ${personJoins({ affiliation: true, roles: true, custom: true })}
  where u.id = :userId`)

/** All attributes of a person that may be released, for a row that was read with fewer. */
export async function loadPersonAttributes(db: Db, userId: string): Promise<PersonAttributes> {
  const [person] = await findPerson(db, { userId })
  if (!person) throw new Error('a session without a person')
  return person
}

/** Records that the person in this session proved a second factor. @returns false if it has ended meanwhile. */
export async function updateSecondFactor(db: Db, id: string, factor: SecondFactor, at: Date): Promise<boolean> {
  const result = await db`
    update sso_sessions set second_factor = ${factor}, second_factor_at = ${at} where id = ${id} and ended_at is null`
  return result.count > 0
}

/** Forgets second factors of open sessions of these people that a trusted browser replaced. */
export async function clearTrustedFactors(db: Db, userIds: readonly string[]): Promise<void> {
  await db`
    update sso_sessions set second_factor = null, second_factor_at = null
    where user_id = any(${userIds as string[]}::uuid[]) and ended_at is null and second_factor = 'device'`
}

export async function touchSsoSession(db: Db, id: string, now: Date): Promise<void> {
  await db`update sso_sessions set last_seen_at = ${now} where id = ${id} and ended_at is null and last_seen_at < ${now}`
}

export type SessionSelector =
  | { ids: string[] }
  | { userIds: string[] }
  | { userId: string; exceptId?: string | undefined }

function selectorCondition(db: Db, which: SessionSelector) {
  if ('ids' in which) return db`id = any(${which.ids}::uuid[])`
  if ('userIds' in which) return db`user_id = any(${which.userIds}::uuid[])`
  return db`user_id = ${which.userId} and id is distinct from ${which.exceptId ?? null}::uuid`
}

/** Marks sessions as ended and returns which: a session ends once, however many callers end it. */
export async function markSessionsEnded(
  db: Db,
  which: SessionSelector,
  reason: SessionEndReason,
  now: Date,
): Promise<{ id: string; userId: string }[]> {
  const condition = selectorCondition(db, which)
  return await db<{ id: string; userId: string }[]>`
    update sso_sessions set ended_at = ${now}, end_reason = ${reason} where ${condition} and ended_at is null
    returning id, user_id`
}

/**
 * Queues a logout message to every service that validated a ticket in these sessions and to every OpenID Connect application that they
 * entered, and ends their proxy tickets. Nodes are notified when the transaction commits.
 */
export async function queueLogouts(db: Db, sessionIds: string[], now: Date): Promise<void> {
  // Waits for validations in progress, whose services the next statement then sees; later ones find no ticket to consume.
  await db`
    update session_services set used_at = ${now} where sso_session_id = any(${sessionIds}::uuid[]) and used_at is null`
  await insertLogoutDeliveries(db, db`v.sso_session_id = any(${sessionIds}::uuid[])`, now)
  await db`delete from proxy_granting_tickets where sso_session_id = any(${sessionIds}::uuid[])`
}
