import type { Permission } from '#shared/contract/permissions.ts'
import type { Db } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'
import { permissionsOf, type RulesInForce } from '../access/index.ts'
import { byShape, NO_APPLICATION_COLUMNS, sessionColumns, sessionShape } from './session-shape.rules.ts'
import type { SessionRow } from './sso-session.store.ts'

type NewPortalSession = {
  id: string
  ssoSessionId: string
  cookieHash: Buffer
  tokenHash: Buffer
  at: Date
  /** The cookie that this browser sent: its portal session can't be reached any more. */
  replaces: Buffer | null
}

export async function insertPortalSession(db: Db, s: NewPortalSession): Promise<void> {
  await db`
    with former as (delete from portal_sessions where cookie_hash = ${s.replaces})
    insert into portal_sessions (id, sso_session_id, cookie_hash, token_hash, opened_at, last_seen_at)
    values (${s.id}, ${s.ssoSessionId}, ${s.cookieHash}, ${s.tokenHash}, ${s.at}, ${s.at})`
}

export type PortalRow = SessionRow & {
  portalSessionId: string
  tokenHash: Buffer
  portalLastSeenAt: Date
  permissions: Permission[] | null
}

const portalColumns = byShape((shape) => `${sessionColumns(shape)}, ${NO_APPLICATION_COLUMNS}`)

export async function findPortalSession(
  db: Db,
  cookieHash: Buffer,
  { rules, now }: { rules: RulesInForce; now: Date },
): Promise<PortalRow | null> {
  const shape = sessionShape(rules, null)
  const [row] = await db<PortalRow[]>`
    select ${toFragment(db, portalColumns(shape), { ...shape.parameters, now })}, p.id as portal_session_id, p.token_hash, p.last_seen_at as portal_last_seen_at,
      ${permissionsOf(db, db`s.user_id`, now)} as permissions
    from portal_sessions p join sso_sessions s on s.id = p.sso_session_id join users u on u.id = s.user_id
    where p.cookie_hash = ${cookieHash}`
  return row ?? null
}

/** Activity in the portal keeps both sessions alive. */
export async function touchPortalSession(
  db: Db,
  row: { portalSessionId: string; id: string },
  now: Date,
): Promise<void> {
  await db`
    with portal as (update portal_sessions set last_seen_at = ${now} where id = ${row.portalSessionId})
    update sso_sessions set last_seen_at = ${now} where id = ${row.id} and ended_at is null`
}

export async function deletePortalSession(db: Db, id: string): Promise<void> {
  await db`delete from portal_sessions where id = ${id}`
}

export async function findPortalSessionLastSeen(db: Db, id: string): Promise<Date | null> {
  const [row] = await db<{ lastSeenAt: Date }[]>`select last_seen_at from portal_sessions where id = ${id}`
  return row?.lastSeenAt ?? null
}

export type UserInformationRow = {
  userId: string
  account: string
  name: string
  nick: string | null
  isSuperUser: boolean
  avatarId: string | null
  permissions: Permission[] | null
}

export async function findUserInformation(db: Db, userId: string, now: Date): Promise<UserInformationRow | null> {
  const [row] = await db<UserInformationRow[]>`
    select id as user_id, account, name, nickname as nick, is_super_user, avatar_id,
      ${permissionsOf(db, db`users.id`, now)} as permissions
    from users where id = ${userId}`
  return row ?? null
}
