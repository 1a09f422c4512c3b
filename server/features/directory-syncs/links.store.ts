import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { Db } from '../../platform/db.ts'
import { toIso } from '../../platform/iso-time.ts'
import { isProtected } from '../access/index.ts'
import type { PersonState, Taken } from './leavers.rules.ts'

export type LinkRow = {
  externalId: string
  userId: string
  account: string
  isDeleted: boolean
  state: PersonState
  /** What the sync took from them; null: nothing. */
  taken: Taken | null
  personHash: string
}

type StoredState = Omit<PersonState, 'validUntil'> & { validUntil: Date | null }

/** SQL value: tells one freeze of `u` from a later one. */
const freezeMark = (db: Db) => db`coalesce(u.frozen_at, u.frozen_from)`

/** The state of person `u` of link `l` that leaver rules depend on. */
const stateColumns = (db: Db, at: Date) => db`
  u.enabled, u.valid_until, u.organization_id,
  u.frozen_from is not null and (u.frozen_until is null or u.frozen_until > ${at}) as is_frozen,
  coalesce((l.taken #>> '{after,frozen}')::timestamptz = ${freezeMark(db)}, false) as is_frozen_by_sync, l.taken`

/** Of everything that a sync can set of person `u`: as many bits as tell two states of one person apart. */
const personHash = (
  db: Db,
) => db`hash_record_extended(row(u.account, u.name, u.nickname, u.gender, u.birthday, u.id_number,
  u.organization_id, u.category_id, u.personnel_type_id, u.phone, u.mailbox, u.alias, u.enabled, u.valid_from, u.valid_until,
  u.custom_values, array(select s.organization_id from user_organizations s where s.user_id = u.id order by 1)), 0)`

/** The people linked to these keys. */
export async function listLinks(db: Db, syncId: string, externalIds: readonly string[], at: Date): Promise<LinkRow[]> {
  const rows = await db<(StoredState & Omit<LinkRow, 'state'>)[]>`
    select one.* from unnest(${externalIds as string[]}::text[]) as g(external_id)
    cross join lateral (select l.external_id, l.user_id, u.account, u.deleted_at is not null as is_deleted,
        ${personHash(db)}::text as person_hash, ${stateColumns(db, at)}
      from directory_links l join users u on u.id = l.user_id
      where l.sync_id = ${syncId} and l.external_id = g.external_id limit 1) one`
  return rows.map(({ externalId, userId, account, isDeleted, taken, personHash: hash, validUntil, ...state }) => ({
    ...{ externalId, userId, account, isDeleted, taken, personHash: hash },
    state: { ...state, validUntil: toIso(validUntil) },
  }))
}

export async function countLinks(db: Db, syncId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from directory_links where sync_id = ${syncId}`
  return row?.count ?? 0
}

export type Candidate = {
  id: string
  account: string
  mailbox: string | null
  phone: string | null
  /** The key of the row to which this sync has linked them; null: none. */
  linkedKey: string | null
}

/**
 * People with one of these accounts, mailboxes or phones, in whatever case, and to which row this sync has linked them. All three are login
 * names.
 */
export const listCandidates = (db: Db, syncId: string, names: readonly string[]) => db<Candidate[]>`
  select u.id, u.account, u.mailbox, u.phone,
    (select l.external_id from directory_links l where l.sync_id = ${syncId} and l.user_id = u.id) as linked_key
  from users u
  where u.id in (select n.user_id from login_names n where n.canonical = any(${names.map(canonicalLoginName)}))
    and u.deleted_at is null`

/** Those of these people whom no sync may change. */
export async function listProtected(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select u.id from users u where u.id = any(${ids as string[]}::uuid[]) and ${isProtected(db)}`
  return new Set(rows.map(({ id }) => id))
}

type Seen = { externalId: string; fingerprint: string | null }

/**
 * Rows whose content, and whose person, are the same as when they last agreed. One lookup per row, because PostgreSQL would read all links
 * for 500 keys of 40,000.
 */
export const listUnchanged = (db: Db, syncId: string, rows: readonly Seen[]) => db<
  { externalId: string; userId: string }[]
>`
  select g.external_id, one.user_id
  from unnest(${rows.map(({ externalId }) => externalId)}::text[], ${rows.map(({ fingerprint }) => fingerprint)}::text[])
    as g(external_id, fingerprint)
  cross join lateral (select l.user_id from directory_links l join users u on u.id = l.user_id
    where l.sync_id = ${syncId} and l.external_id = g.external_id and l.fingerprint = g.fingerprint
      and l.taken is null and u.deleted_at is null and not u.is_super_user and l.person_hash = ${personHash(db)}
      and not exists (select from appointments a where a.user_id = u.id)
      and not exists (select from directory_matches m where m.sync_id = ${syncId} and m.external_id = g.external_id)
    limit 1) one`

type Agreeing = Seen & { personHash: string | null }

/** Remembers what agreed: rows, and the hashes of people as they were before both were compared. */
export async function saveFingerprints(db: Db, syncId: string, rows: readonly Agreeing[]): Promise<void> {
  if (rows.length === 0) return
  await db`
    update directory_links l set fingerprint = g.fingerprint, person_hash = g."personHash"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as g("externalId" text, fingerprint text, "personHash" bigint)
    where l.sync_id = ${syncId} and l.external_id = g."externalId"
      and (l.fingerprint, l.person_hash) is distinct from (g.fingerprint, g."personHash")`
}

type NewLink = { externalId: string; userId: string }
type LinkingRun = { syncId: string; runId: string; at: Date }

/**
 * Saves links of written people, in the transaction that wrote them: they are present, have got back what was taken, and agree with the
 * source.
 */
export async function saveLinks(
  db: Db,
  { syncId, runId, at }: LinkingRun,
  links: readonly (NewLink & Seen)[],
): Promise<void> {
  await db`
    insert into directory_links (sync_id, external_id, user_id, run_id, linked_at, fingerprint, person_hash)
    select ${syncId}, g.external_id, g.user_id, ${runId}, ${at}, g.fingerprint, ${personHash(db)}
    from unnest(${links.map(({ externalId }) => externalId)}::text[], ${links.map(({ userId }) => userId)}::uuid[],
      ${links.map(({ fingerprint }) => fingerprint)}::text[]) as g(external_id, user_id, fingerprint)
    join users u on u.id = g.user_id
    on conflict (sync_id, external_id) do update set missing_runs = 0, missing_since = null, taken = null,
      fingerprint = excluded.fingerprint, person_hash = excluded.person_hash`
}

type TakenFrom = { userId: string; taken: Taken }

/** Records what the sync took; a freeze by its time, to tell it from later ones. */
export async function markTaken(db: Db, syncId: string, rows: readonly TakenFrom[]): Promise<void> {
  await db`
    update directory_links l set taken = case when jsonb_exists(g.taken -> 'after', 'frozen')
      then jsonb_set(g.taken, '{after,frozen}', to_jsonb(${freezeMark(db)})) else g.taken end
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as g("userId" uuid, taken jsonb) join users u on u.id = g."userId"
    where l.sync_id = ${syncId} and l.user_id = u.id`
}

/** Updates the links of rows that an applied run didn't have to write. */
export async function settleLinks(db: Db, { runId, syncId, at }: LinkingRun): Promise<void> {
  await db`
    insert into directory_links (sync_id, external_id, user_id, run_id, linked_at)
    select ${syncId}, r.external_id, r.user_id, ${runId}, ${at} from directory_sync_rows r
    where r.run_id = ${runId} and r.outcome = 'unchanged' and r.user_id is not null
      and not exists (select from directory_links l where l.sync_id = ${syncId} and l.external_id = r.external_id)
    on conflict do nothing`
  await db`
    update directory_links l set missing_runs = 0, missing_since = null,
      taken = case when r.outcome = 'unchanged' then null else l.taken end
    from directory_sync_rows r
    where l.sync_id = ${syncId} and (l.missing_runs > 0 or l.missing_since is not null) and r.run_id = ${runId}
      and r.external_id = l.external_id and r.cells is not null`
  await db`
    update directory_links l set missing_runs = l.missing_runs + 1, missing_since = coalesce(l.missing_since, ${at}),
      taken = case when ${isOverruled(db)} then '{"before": {}, "after": {}}' else l.taken end
    from directory_sync_rows r, users u
    where l.sync_id = ${syncId} and r.run_id = ${runId} and r.external_id = l.external_id and r.cells is null and u.id = l.user_id`
}

/** Somebody changed what the sync took from `u`: it belongs to them now and is not given back. */
const isOverruled = (db: Db) => db`
  (jsonb_exists(l.taken -> 'after', 'enabled') and u.enabled)
  or (jsonb_exists(l.taken -> 'after', 'validUntil') and u.valid_until is distinct from (l.taken #>> '{after,validUntil}')::timestamptz)
  or (jsonb_exists(l.taken -> 'after', 'organizationId')
    and u.organization_id is distinct from (l.taken #>> '{after,organizationId}')::uuid)
  or (jsonb_exists(l.taken -> 'after', 'frozen') and ${freezeMark(db)} is distinct from (l.taken #>> '{after,frozen}')::timestamptz)`

/** Deletes the links of people whom an undone run had created. */
export const deleteLinks = (db: Db, syncId: string, userIds: readonly string[]) => db`
  delete from directory_links where sync_id = ${syncId} and user_id = any(${userIds as string[]}::uuid[])`

/** Clears what the sync took. */
export const unmarkTaken = (db: Db, syncId: string, userIds: readonly string[]) => db`
  update directory_links set taken = null where sync_id = ${syncId} and user_id = any(${userIds as string[]}::uuid[])`

/** The current states of linked people. */
export async function listStates(
  db: Db,
  syncId: string,
  userIds: readonly string[],
  at: Date,
): Promise<Map<string, PersonState>> {
  const rows = await db<(StoredState & { userId: string; taken: unknown })[]>`
    select l.user_id, ${stateColumns(db, at)} from directory_links l join users u on u.id = l.user_id
    where l.sync_id = ${syncId} and l.user_id = any(${userIds as string[]}::uuid[]) and u.deleted_at is null`
  return new Map(
    rows.map(({ userId, taken, validUntil, ...state }) => [userId, { ...state, validUntil: toIso(validUntil) }]),
  )
}

/** Those of these people whom another sync currently has. */
export async function listElsewhere(db: Db, syncId: string, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ userId: string }[]>`
    select user_id from directory_links
    where user_id = any(${userIds as string[]}::uuid[]) and sync_id <> ${syncId} and missing_since is null`
  return new Set(rows.map(({ userId }) => userId))
}

/** Links a person by decision, replacing a link to a deleted person. @returns false if the person or the key is linked already. */
export async function linkPerson(db: Db, link: NewLink & { syncId: string; at: Date }): Promise<boolean> {
  await db`
    delete from directory_links l using users u
    where l.sync_id = ${link.syncId} and l.external_id = ${link.externalId} and u.id = l.user_id and u.deleted_at is not null`
  const { count } = await db`
    insert into directory_links (sync_id, external_id, user_id, linked_at)
    values (${link.syncId}, ${link.externalId}, ${link.userId}, ${link.at}) on conflict do nothing`
  return count > 0
}
