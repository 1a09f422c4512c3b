import type { Db } from '../../platform/db.ts'
import { grantHolds } from '../access/index.ts'
import { deleteTokensOf } from '../oidc-tokens/index.ts'
import { insertLogoutDeliveries } from '../single-logout/index.ts'

/** Whose access may have shrunk: that of everybody in an application, of one person, or (both null) of everybody. */
type AccessChange = { applicationId: string | null; userId: string | null }

/** Takes change notes written by database triggers, oldest first; they stay if the transaction fails. */
export const takeAccessChanges = (db: Db, limit: number) => db<AccessChange[]>`
  delete from access_changes where id in (select id from access_changes order by id limit ${limit} for update skip locked)
  returning application_id, user_id`

/** Applications with a grant that expired in this period: nothing is written at that moment. */
export async function listApplicationsOfExpiredGrants(db: Db, since: Date, now: Date): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct application_id as id from application_grants where valid_until > ${since} and valid_until <= ${now}`
  return rows.map(({ id }) => id)
}

/** An application that a session has entered. */
export type ApplicationEntry = { ssoSessionId: string; applicationId: string }

/** Entries `e` of a session `s`, whatever the protocol. */
const entriesOfSession = (db: Db) => db`
  lateral (
    select application_id from session_clients where sso_session_id = s.id
    union
    select application_id from session_services where sso_session_id = s.id and ticket is not null
  ) e`

type AccessFilter = { everybody: boolean; applicationIds: string[]; userIds: string[] }

/** Entries of open sessions into applications that their people may no longer use, at most `most`. */
export const listEntriesWithoutAccess = (
  db: Db,
  { everybody, applicationIds, userIds }: AccessFilter,
  now: Date,
  limit: number,
) => db<ApplicationEntry[]>`
  select s.id as sso_session_id, a.id as application_id
  from sso_sessions s cross join ${entriesOfSession(db)} join applications a on a.id = e.application_id
    join users u on u.id = s.user_id left join organizations o on o.id = u.organization_id
  where s.ended_at is null
    and (${everybody} or s.user_id = any(${userIds}::uuid[]) or a.id = any(${applicationIds}::uuid[]))
    and not (a.enabled and ${grantHolds(db, now)})
  limit ${limit}`

/** The entries of a person's open sessions into one application. */
export const listEntries = (db: Db, userId: string, applicationId: string) => db<ApplicationEntry[]>`
  select s.id as sso_session_id, e.application_id
  from sso_sessions s cross join ${entriesOfSession(db)}
  where s.user_id = ${userId} and s.ended_at is null and e.application_id = ${applicationId}`

/** Ends entries: the applications are told, and their tickets and tokens of these sessions are deleted. */
export async function deleteEntries(db: Db, entries: readonly ApplicationEntry[], now: Date): Promise<void> {
  const pairs = db`
    select * from unnest(${entries.map(({ ssoSessionId }) => ssoSessionId)}::uuid[],
      ${entries.map(({ applicationId }) => applicationId)}::uuid[])`
  const condition = db`(v.sso_session_id, v.application_id) in (${pairs})`
  await insertLogoutDeliveries(db, condition, now)
  await db`update session_services v set ticket = null where ${condition} and ticket is not null`
  await db`delete from session_clients v where ${condition}`
  await db`delete from proxy_granting_tickets v where ${condition}`
  await deleteTokensOf(db, pairs)
}
