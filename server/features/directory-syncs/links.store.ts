import type { Db } from '../../platform/db.ts'

export type LinkRow = {
  externalId: string
  userId: string
  account: string
  version: number
  enabled: boolean
  isDeleted: boolean
  takenVersion: number | null
}

export const listLinks = (db: Db, sourceId: string, externalIds: readonly string[]) => db<LinkRow[]>`
  select l.external_id as "externalId", l.user_id as "userId", u.account, u.version, u.enabled, u.deleted_at is not null as "isDeleted",
    l.taken_version as "takenVersion"
  from directory_links l join users u on u.id = l.user_id
  where l.source_id = ${sourceId} and l.external_id = any(${externalIds as string[]})`

export async function countLinks(db: Db, sourceId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from directory_links where source_id = ${sourceId}`
  return row?.count ?? 0
}

export type Candidate = { id: string; account: string; mailbox: string | null; phone: string | null; isLinked: boolean }

type Wanted = { accounts: readonly string[]; mailboxes: readonly string[]; phones: readonly string[] }

/** People who have one of these, and whether somebody else of the source is them already. */
export const listCandidates = (db: Db, sourceId: string, { accounts, mailboxes, phones }: Wanted) => db<Candidate[]>`
  select u.id, u.account, u.mailbox, u.phone,
    exists (select from directory_links l where l.source_id = ${sourceId} and l.user_id = u.id) as "isLinked"
  from users u
  where u.deleted_at is null and (u.account = any(${accounts as string[]}) or u.mailbox = any(${mailboxes as string[]})
    or u.phone = any(${phones as string[]}))`

/** Of these people, those whom no sync touches: super users and administrators. */
export async function listProtected(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select u.id from users u where u.id = any(${ids as string[]}::uuid[])
      and (u.is_super_user or exists (select from delegations d where d.user_id = u.id))`
  return new Set(rows.map(({ id }) => id))
}

type NewLink = { externalId: string; userId: string }

/** Who was written is there again, and nothing is taken from them. */
export async function saveLinks(db: Db, sourceId: string, links: readonly NewLink[]): Promise<void> {
  await db`
    insert into directory_links (source_id, external_id, user_id)
    select ${sourceId}, g."externalId", g."userId"
    from jsonb_to_recordset(${JSON.stringify(links)}::text::jsonb) as g("externalId" text, "userId" uuid)
    on conflict (source_id, external_id) do update set missing_runs = 0, missing_since = null, taken_version = null`
}

/** Notes what sync took, by the version that the person then has: whoever is changed after that is nobody's but theirs. */
export const markTaken = (db: Db, sourceId: string, userIds: readonly string[]) => db`
  update directory_links l set taken_version = u.version from users u
  where l.source_id = ${sourceId} and u.id = l.user_id and u.id = any(${userIds as string[]}::uuid[])`

/** What an applied run leaves on the links of those it did not have to write. */
export async function settleLinks(
  db: Db,
  { runId, sourceId, at }: { runId: string; sourceId: string; at: Date },
): Promise<void> {
  await db`
    insert into directory_links (source_id, external_id, user_id)
    select ${sourceId}, r.external_id, r.user_id from directory_sync_rows r
    where r.run_id = ${runId} and r.outcome = 'unchanged' and r.user_id is not null
      and not exists (select from directory_links l where l.source_id = ${sourceId} and l.external_id = r.external_id)
    on conflict do nothing`
  await db`
    update directory_links l set missing_runs = 0, missing_since = null,
      taken_version = case when r.outcome = 'unchanged' then null else l.taken_version end
    from directory_sync_rows r
    where l.source_id = ${sourceId} and (l.missing_runs > 0 or l.missing_since is not null) and r.run_id = ${runId}
      and r.external_id = l.external_id and r.outcome not in ('missing', 'leaver')`
  await db`
    update directory_links l set missing_runs = l.missing_runs + 1, missing_since = coalesce(l.missing_since, ${at})
    from directory_sync_rows r
    where l.source_id = ${sourceId} and r.run_id = ${runId} and r.external_id = l.external_id and r.outcome in ('missing', 'leaver')`
}

/** Whose link goes with them: people whom an undone run had created. */
export const deleteLinks = (db: Db, sourceId: string, userIds: readonly string[]) => db`
  delete from directory_links where source_id = ${sourceId} and user_id = any(${userIds as string[]}::uuid[])`

/** Sync has nothing of theirs any more. */
export const unmarkTaken = (db: Db, sourceId: string, userIds: readonly string[]) => db`
  update directory_links set taken_version = null where source_id = ${sourceId} and user_id = any(${userIds as string[]}::uuid[])`
