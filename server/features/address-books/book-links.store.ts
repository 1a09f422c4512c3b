import type { Db } from '../../platform/db.ts'
import type { BookKind, BookLink, LocalPerson } from './book-plan.types.ts'

export const listLinks = (db: Db, syncId: string) => db<BookLink[]>`
  select kind, local_id, external_id, sent, is_disabled,
    missing_since is not null as is_missing
  from book_links where sync_id = ${syncId}`

/** Which departments here these departments there are. */
export const listLinkedDepartments = (db: Db, syncId: string, externalIds: readonly string[]) => db<
  { externalId: string; localId: string }[]
>`
  select external_id, local_id from book_links
  where sync_id = ${syncId} and kind = 'department' and external_id = any(${externalIds as string[]})`

/** The values sent last for a person, encrypted. */
export async function findSent(db: Db, syncId: string, localId: string): Promise<string | null> {
  const [row] = await db<{ sent: string | null }[]>`
    select sent from book_links where sync_id = ${syncId} and kind = 'person' and local_id = ${localId}`
  return row?.sent ?? null
}

type Saved = { kind: BookKind; localId: string; externalId: string; sent: string | null; isDisabled: boolean }

/** Replaces the link of whoever had this external id before. */
export async function saveLink(db: Db, syncId: string, link: Saved): Promise<void> {
  await db`
    delete from book_links where sync_id = ${syncId} and kind = ${link.kind} and external_id = ${link.externalId} and local_id <> ${link.localId}`
  await db`
    insert into book_links (sync_id, kind, local_id, external_id, sent, is_disabled)
    values (${syncId}, ${link.kind}, ${link.localId}, ${link.externalId}, ${link.sent}, ${link.isDisabled})
    on conflict (sync_id, kind, local_id) do update set external_id = excluded.external_id,
      sent = coalesce(excluded.sent, book_links.sent), is_disabled = excluded.is_disabled, missing_since = null`
}

export const deleteLink = (db: Db, syncId: string, kind: BookKind, localId: string) => db`
  delete from book_links where sync_id = ${syncId} and kind = ${kind} and local_id = ${localId}`

/** Updates the links of rows that an applied run didn't have to write. */
export async function settleLinks(
  db: Db,
  { runId, syncId, at }: { runId: string; syncId: string; at: Date },
): Promise<void> {
  await db`
    insert into book_links (sync_id, kind, local_id, external_id)
    select ${syncId}, r.kind, r.local_id, r.external_id from book_rows r
    where r.run_id = ${runId} and r.outcome = 'unchanged' and r.external_id is not null on conflict do nothing`
  await db`
    update book_links l set missing_since = case when r.outcome in ('missing', 'leaver') then coalesce(l.missing_since, ${at}) end
    from book_rows r where l.sync_id = ${syncId} and r.run_id = ${runId} and r.kind = l.kind and r.local_id = l.local_id
      and (l.missing_since is null) = (r.outcome in ('missing', 'leaver'))`
}

type Chosen = { organizationIds: readonly string[]; categoryIds: readonly string[]; at: Date }

/** Enabled people whose main department is one of these, optionally only those in `ids`. */
export const listPeople = (
  db: Db,
  { organizationIds, categoryIds, at }: Chosen,
  ids: readonly string[] | null = null,
) =>
  db<LocalPerson[]>`
  select u.id, u.account, u.name, u.phone, u.mailbox, u.organization_id, u.account as userid, null as problem from users u
  where u.organization_id = any(${organizationIds as string[]}::uuid[]) and u.deleted_at is null and u.enabled
    and (u.valid_until is null or u.valid_until > ${at})
    and ${categoryIds.length > 0 ? db`u.category_id = any(${categoryIds as string[]}::uuid[])` : db`true`}
    and ${ids ? db`u.id = any(${ids as string[]}::uuid[])` : db`true`}
  order by u.account`
