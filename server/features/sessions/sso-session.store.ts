import type { Db } from '../../platform/db.ts'
import type { AccountFacts } from '../account-status/index.ts'
import { administersNow } from '../administrators/index.ts'
import { type Application, grantHolds, type Person } from '../applications/index.ts'
import type { ClientDetails } from '../records/index.ts'
import { ROLE_CODES } from '../roles/index.ts'

type NewSession = {
  id: string
  secretHash: Buffer
  userId: string
  authType: string
  remembered: boolean
  warn: boolean
  limited: boolean
  at: Date
  expiresAt: Date
  details: ClientDetails
  /** What was proved besides the first factor; null: nothing. */
  secondFactor: SecondFactor | null
}

/** `device`: a browser that was trusted earlier. */
export type SecondFactor = 'totp' | 'recovery' | 'passkey' | 'device'

export async function insertSsoSession(db: Db, s: NewSession): Promise<void> {
  const { details } = s
  await db`
    insert into sso_sessions (id, secret_hash, user_id, auth_type, remembered, warn, limited, authenticated_at, opened_at,
      last_seen_at, expires_at, ip, user_agent, browser, device, client_type, on_campus, second_factor, second_factor_at)
    values (${s.id}, ${s.secretHash}, ${s.userId}, ${s.authType}, ${s.remembered}, ${s.warn}, ${s.limited}, ${s.at}, ${s.at},
      ${s.at}, ${s.expiresAt}, ${details.ip}, ${details.userAgent}, ${details.browser}, ${details.device},
      ${details.clientType}, ${details.onCampus}, ${s.secondFactor}, ${s.secondFactor && s.at})`
}

/**
 * Gives a session that logged in again a new secret and fresh facts; its services stay known for single logout.
 * @returns false when it has ended meanwhile.
 */
export async function renewSsoSession(db: Db, s: Omit<NewSession, 'userId'>): Promise<boolean> {
  const renewed = await db`
    update sso_sessions set secret_hash = ${s.secretHash}, auth_type = ${s.authType}, remembered = ${s.remembered},
      warn = ${s.warn}, limited = ${s.limited}, authenticated_at = ${s.at}, last_seen_at = ${s.at}, expires_at = ${s.expiresAt},
      ip = ${s.details.ip}, user_agent = ${s.details.userAgent}, browser = ${s.details.browser}, device = ${s.details.device},
      client_type = ${s.details.clientType}, on_campus = ${s.details.onCampus}, second_factor = ${s.secondFactor},
      second_factor_at = ${s.secondFactor && s.at}
    where id = ${s.id} and ended_at is null`
  return renewed.count > 0
}

/** A session with the facts the gate reads; flat, as one row. */
export type SessionRow = AccountFacts & {
  id: string
  userId: string
  authType: string
  remembered: boolean
  warn: boolean
  limited: boolean
  authenticatedAt: Date
  openedAt: Date
  lastSeenAt: Date
  expiresAt: Date
  endedAt: Date | null
  isSuperUser: boolean
  /** Is a super user, or administers some organisation. */
  administers: boolean
  secondFactor: SecondFactor | null
  secondFactorAt: Date | null
  /** Code of the person's category, for the rules about second factors. */
  ruleCategory: string | null
  /** Null when no application was asked for. */
  applicationEnabled: boolean | null
  granted: boolean | null
}

/** Code of the category of `users u`, for a query that does not join it. */
const categoryOf = (db: Db) => db`(select g.code from user_categories g where g.id = u.category_id)`

/** Columns of `SessionRow` from `sso_sessions s` and `users u`. @param category `c.code` where `user_categories c` is joined. */
export const sessionColumns = (db: Db, now: Date, category = categoryOf(db)) => db`
  s.id, s.user_id as "userId", s.auth_type as "authType", s.remembered, s.warn, s.limited,
  s.authenticated_at as "authenticatedAt", s.opened_at as "openedAt", s.last_seen_at as "lastSeenAt",
  s.expires_at as "expiresAt", s.ended_at as "endedAt", s.second_factor as "secondFactor",
  s.second_factor_at as "secondFactorAt", ${category} as "ruleCategory",
  u.is_super_user as "isSuperUser", ${administersNow(db, now)} as administers, u.enabled, u.activated,
  u.deleted_at as "deletedAt", u.locked_at as "lockedAt", u.locked_until as "lockedUntil", u.frozen_from as "frozenFrom",
  u.frozen_until as "frozenUntil", u.valid_from as "validFrom", u.valid_until as "validUntil", u.must_change_password as "mustChangePassword"`

/**
 * Columns of `Person` besides the user id, from `users u`, `organizations o`, `user_categories c` and `personnel_natures n`, as far
 * as the application `a` may be given them.
 */
export const personColumns = (db: Db) => db`
  u.account, u.name, u.nickname, u.alias, u.phone, u.mailbox, u.gender, u.birthday::text as birthday,
  o.name as organization, o.code as "organizationCode", c.name as category, c.code as "categoryCode",
  n.name as "personnelNature", n.code as "personnelNatureCode",
  ${db.unsafe(ROLES_IF_ASKED)} as roles`

/** Few applications are given the roles, and reading them costs more than the rest of a validation. */
const ROLES_IF_ASKED = `
  case when a.attributes @> '[{"from": "roles"}]' or a.user_attribute = 'roles' or 'roles' = any(a.scopes)
    then ${ROLE_CODES} else '{}' end`

/** The session with this secret, and what the person may do with `application`, in one round trip. */
export const findBySecret = (db: Db, secretHash: Buffer, application: Application | null, now: Date) =>
  findSession(db, db`s.secret_hash = ${secretHash}`, application, now)

/** As `findBySecret`, by id: for what stands in for the session, such as a proxy-granting ticket. */
export const findById = (db: Db, id: string, application: Application | null, now: Date) =>
  findSession(db, db`s.id = ${id}`, application, now)

async function findSession(db: Db, condition: Condition, application: Application | null, now: Date) {
  const [row] = application
    ? await db<SessionRow[]>`
        select ${sessionColumns(db, now)}, a.enabled as "applicationEnabled", ${grantHolds(db, now)} as granted
        from sso_sessions s join users u on u.id = s.user_id left join organizations o on o.id = u.organization_id
          join applications a on a.id = ${application.id}
        where ${condition}`
    : await db<SessionRow[]>`
        select ${sessionColumns(db, now)}, null as "applicationEnabled", null as granted
        from sso_sessions s join users u on u.id = s.user_id where ${condition}`
  return row ?? null
}

/** A ticket as it is presented: by whom and for what is judged afterwards, it is gone either way. */
export type PresentedTicket = {
  ticket: string
  ticketHash: Buffer /** Canonical; null: no address at all. */
  service: string | null
}

/** What a ticket was issued for. */
export type SpentTicket = {
  applicationId: string
  appId: string
  builtIn: boolean
  service: string
  fresh: boolean
  browser: string | null
  proxies: string[]
}

/**
 * Spends a ticket and reads the session, the person and the grants behind it, all in one statement: of any number of parallel
 * attempts on all nodes exactly one gets a row. A ticket spent for its own service is noted in clear for single logout.
 */
export async function spendTicket(db: Db, presented: PresentedTicket, now: Date) {
  const [row] = await db<(SpentTicket & SessionRow & Person)[]>`
    with spent as (
      update session_services
      set used_at = ${now}, ticket = case when service = ${presented.service} then ${presented.ticket} end
      where ticket_hash = ${presented.ticketHash} and used_at is null and expires_at > ${now}
      returning sso_session_id, application_id, service, fresh, browser, proxies
    )
    select t.application_id as "applicationId", a.app_id as "appId", a.built_in as "builtIn", t.service, t.fresh, t.browser as "browser", t.proxies,
      ${sessionColumns(db, now, db`c.code`)}, a.enabled as "applicationEnabled", ${grantHolds(db, now)} as granted, ${personColumns(db)}
    from spent t join sso_sessions s on s.id = t.sso_session_id join users u on u.id = s.user_id
      left join organizations o on o.id = u.organization_id left join user_categories c on c.id = u.category_id
      left join personnel_natures n on n.id = u.personnel_nature_id join applications a on a.id = t.application_id`
  return row ?? null
}

/** Notes that the person at this session proved a second factor. @returns false when it has ended meanwhile. */
export async function setSecondFactor(db: Db, id: string, factor: SecondFactor, at: Date): Promise<boolean> {
  const result = await db`
    update sso_sessions set second_factor = ${factor}, second_factor_at = ${at} where id = ${id} and ended_at is null`
  return result.count > 0
}

export async function touchSsoSession(db: Db, id: string, now: Date): Promise<void> {
  await db`update sso_sessions set last_seen_at = ${now} where id = ${id} and ended_at is null and last_seen_at < ${now}`
}

export type Selector = { ids: string[] } | { userIds: string[] } | { userId: string; exceptId?: string | undefined }

function selected(db: Db, which: Selector) {
  if ('ids' in which) return db`id = any(${which.ids}::uuid[])`
  if ('userIds' in which) return db`user_id = any(${which.userIds}::uuid[])`
  return db`user_id = ${which.userId} and id is distinct from ${which.exceptId ?? null}::uuid`
}

/** Marks sessions as ended and answers which: a session ends once, however many ask. */
export async function markEnded(
  db: Db,
  which: Selector,
  reason: string,
  now: Date,
): Promise<{ id: string; userId: string }[]> {
  const condition = selected(db, which)
  return await db<{ id: string; userId: string }[]>`
    update sso_sessions set ended_at = ${now}, end_reason = ${reason} where ${condition} and ended_at is null
    returning id, user_id as "userId"`
}

/**
 * Queues a logout message to every service that validated a ticket in these sessions and to every OpenID application that they
 * entered, and ends their proxy tickets.
 * Nodes hear of it when the transaction commits.
 */
export async function queueLogouts(db: Db, sessionIds: string[], now: Date): Promise<void> {
  // Waits for validations under way, whose services the next statement then sees; later ones find nothing left to spend.
  await db`
    update session_services set used_at = ${now} where sso_session_id = any(${sessionIds}::uuid[]) and used_at is null`
  await insertLogouts(db, db`v.sso_session_id = any(${sessionIds}::uuid[])`, now)
  await db`delete from proxy_granting_tickets where sso_session_id = any(${sessionIds}::uuid[])`
}

type Condition = ReturnType<typeof sessionColumns>

/** Queues a logout message for each entry `v` (a used ticket, or an OpenID application that was entered) that fits. */
export async function insertLogouts(db: Db, fits: Condition, now: Date): Promise<void> {
  await db`
    insert into logout_deliveries (id, sso_session_id, user_id, application_id, channel, url, ticket, next_attempt_at, created_at)
    select gen_random_uuid(), v.sso_session_id, s.user_id, a.id, a.single_logout,
      coalesce(a.logout_url, v.service_url), v.ticket, ${now}, ${now}
    from session_services v join sso_sessions s on s.id = v.sso_session_id join applications a on a.id = v.application_id
    where ${fits} and v.ticket is not null and a.single_logout <> 'none'`
  await db`
    insert into logout_deliveries (id, sso_session_id, user_id, application_id, channel, url, ticket, next_attempt_at, created_at,
      protocol, subject)
    select gen_random_uuid(), v.sso_session_id, s.user_id, a.id, 'back-channel', a.backchannel_logout_uri, v.sid, ${now}, ${now},
      'oidc', v.subject
    from session_clients v join sso_sessions s on s.id = v.sso_session_id join applications a on a.id = v.application_id
    where ${fits} and a.backchannel_logout_uri is not null`
  await db`select pg_notify('gatehouse_logout', '')`
}
