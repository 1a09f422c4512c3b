import type { ReauthenticationMethod } from '#shared/contract/reauthentication.ts'
import type { Db } from '../../platform/db.ts'

export type ReauthenticatingUserRow = { phone: string | null; mailbox: string | null; hasPassword: boolean }

export type ReauthenticationRow = { reauthenticatedAt: Date; method: ReauthenticationMethod }

/** When and how this portal session last reauthenticated; null if never, or not since the password was changed. */
export async function findReauthenticationRow(
  db: Db,
  portalSessionId: string,
  userId: string,
): Promise<ReauthenticationRow | null> {
  const [row] = await db<ReauthenticationRow[]>`
    select i.reauthenticated_at, i.method from reauthentications i left join passwords p on p.user_id = ${userId}
    where i.portal_session_id = ${portalSessionId} and (p.changed_at is null or p.changed_at < i.reauthenticated_at)`
  return row ?? null
}

type LoginQuery = { ssoSessionId: string; since: Date; channels: { sms: boolean; mail: boolean } }

/** When the person of this session logged in, if that was after the given time and no authenticator can be asked for here. */
export async function findLoginAsReauthentication(
  db: Db,
  { ssoSessionId, since, channels }: LoginQuery,
): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`
    select s.authenticated_at as at from sso_sessions s join users u on u.id = s.user_id
    where s.id = ${ssoSessionId} and s.ended_at is null and s.authenticated_at > ${since}
      and (u.phone is null or not ${channels.sms}) and (u.mailbox is null or not ${channels.mail})
      and not exists (select from passwords p where p.user_id = u.id)
      and not exists (select from second_factors f where f.user_id = u.id and f.totp_confirmed_at is not null)
      and not exists (select from passkeys k where k.user_id = u.id)`
  return row?.at ?? null
}

export async function deleteReauthentication(db: Db, portalSessionId: string): Promise<void> {
  await db`delete from reauthentications where portal_session_id = ${portalSessionId}`
}

/** Deletes the reauthentications of these people. */
export async function deleteReauthenticationsOf(db: Db, userIds: readonly string[]): Promise<void> {
  await db`
    delete from reauthentications i using portal_sessions p, sso_sessions s
    where p.id = i.portal_session_id and s.id = p.sso_session_id and s.user_id = any(${userIds as string[]}::uuid[])`
}

/** @returns false if the portal session has ended meanwhile */
export async function saveReauthentication(
  db: Db,
  reauthentication: { portalSessionId: string; method: string; reauthenticatedAt: Date },
): Promise<boolean> {
  const saved = await db`
    insert into reauthentications (portal_session_id, method, reauthenticated_at)
    select id, ${reauthentication.method}, ${reauthentication.reauthenticatedAt} from portal_sessions where id = ${reauthentication.portalSessionId} for key share
    on conflict (portal_session_id) do update set method = excluded.method, reauthenticated_at = excluded.reauthenticated_at`
  return saved.count > 0
}

/** The authenticators of this person that a reauthentication can use. */
export async function findReauthenticatingUser(db: Db, userId: string): Promise<ReauthenticatingUserRow | null> {
  const [row] = await db<ReauthenticatingUserRow[]>`
    select u.phone, u.mailbox, p.user_id is not null as has_password
    from users u left join passwords p on p.user_id = u.id where u.id = ${userId} and u.deleted_at is null`
  return row ?? null
}
