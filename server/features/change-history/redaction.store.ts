import type { Db, SqlFragment } from '../../platform/db.ts'
import { grantHolds } from '../access/index.ts'

/** Those of these organisations for which `maySee`, a condition on `o`, holds. */
export async function findVisibleOrganizations(
  db: Db,
  ids: readonly string[],
  maySee: SqlFragment,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db<{ id: string }[]>`
    select o.id from organizations o where o.id::text = any(${ids as string[]}::text[]) and ${maySee}`
  return new Set(rows.map(({ id }) => id))
}

type VisibleApplicationsQuery = {
  userId: string
  /** Ids, or `appId`s of applications. */
  targets: readonly string[]
  /** Condition on `u`: may every application be granted to this person? */
  mayGrant: SqlFragment
  now: Date
}

/** Those of these applications that the person has, or all existing ones if they may be granted any. */
export async function findVisibleApplications(
  db: Db,
  { userId, targets, mayGrant, now }: VisibleApplicationsQuery,
): Promise<Set<string>> {
  if (targets.length === 0) return new Set()
  const rows = await db<{ id: string; appId: string }[]>`
    select a.id, a.app_id
    from users u left join organizations o on o.id = u.organization_id
      join applications a on (a.id::text = any(${targets as string[]}) or a.app_id = any(${targets as string[]}))
    where u.id = ${userId} and a.deleted_at is null and (${mayGrant} or ${grantHolds(db, now)})`
  return new Set(rows.flatMap(({ id, appId }) => [id, appId]))
}
