import { type BookSync, type BookSyncFields, type bookSyncs, MAILBOX_VENDORS } from '#shared/contract/address-books.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { escapeLike } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import type { Context } from '../../platform/platform.ts'
import { type ResourceStore, resourceReads } from '../resources/index.ts'
import { type DueSync, findNextRun, responsibleOf, workOf } from '../sync-runs/index.ts'

export type BookQuery = Input<typeof bookSyncs.list>['query']

/** Departments and categories as they are called in the caller's language. */
const columns = ({ db, client: { language } }: Context): SqlFragment => db`
  s.id, s.version, s.name, s.vendor, s.application, s.host, case when s.secret is null then '' else ${SECRET_PLACEHOLDER} end as secret,
  s.mode, s.coremail, s.roots, s.category_ids, s.fields, s.leavers, s.thresholds, s.note, s.updated_at,
  (select jsonb_agg(coalesce(${localized(db, 'o', language)}, '') order by r.at) from jsonb_array_elements(s.roots) with ordinality r (root, at)
    left join organizations o on o.id = (r.root ->> 'organizationId')::uuid) as root_names,
  array(select coalesce(${localized(db, 'c', language)}, '') from unnest(s.category_ids) with ordinality n (id, at) left join user_categories c on c.id = n.id
    order by n.at) as category_names, s.responsible_ids, ${responsibleOf(db, 's')} as responsible, s.schedule,
  s.next_run_at,
  (select count(*)::int from book_links l where l.sync_id = s.id and l.kind = 'person') as linked_people,
  (select count(*)::int from book_links l where l.sync_id = s.id and l.kind = 'department') as linked_departments,
  case when r.id is not null then jsonb_build_object('id', r.id, 'state', r.state, 'startedAt', r.started_at,
    'toWrite', r.to_write, 'tried', r.tried, 'progress', case r.state when 'undoing' then ${workOf(db)}
    when 'applying' then jsonb_build_object('done', r.tried, 'total', r.to_write) end) end as last_run`
const tables = (db: Db): SqlFragment => db`
  book_syncs s left join lateral (select id, state, started_at, to_write, tried, task_id from book_runs where sync_id = s.id
    order by started_at desc, id desc limit 1) r on true`

function matches(db: Db, { search, vendor }: BookQuery): SqlFragment {
  const pattern = `%${escapeLike(search.normalize('NFKC'))}%`
  return db`(${search} = '' or s.name ilike ${pattern} or s.note ilike ${pattern})
    and ${vendor ? db`s.vendor = ${vendor}` : db`true`}`
}

type StoredSync = Omit<BookSync, 'updatedAt' | 'nextRunAt'> & { updatedAt: Date; nextRunAt: Date | null }

const toSync = ({ updatedAt, nextRunAt, lastRun, ...row }: StoredSync): BookSync => ({
  ...row,
  nextRunAt: toIso(nextRunAt),
  lastRun: lastRun && { ...lastRun, startedAt: new Date(lastRun.startedAt).toISOString() },
  updatedAt: updatedAt.toISOString(),
})

/** The secret to store; the placeholder keeps the stored one. */
const storedSecret = ({ db, secrets }: Context, secret: string): SqlFragment =>
  secret === SECRET_PLACEHOLDER ? db`secret` : db`${secret === '' ? null : secrets.seal(secret)}`
const json = (value: unknown) => JSON.stringify(value)

export const booksStore: ResourceStore<BookSyncFields, BookSync, BookQuery> = {
  ...resourceReads<StoredSync, BookSync, BookQuery>({
    table: 'book_syncs',
    alias: 's',
    columns,
    from: tables,
    matches,
    toShown: toSync,
  }),
  async insert(
    ctx,
    id,
    { name, vendor, application, host, secret, roots, categoryIds, fields, leavers, thresholds, ...more },
  ) {
    const { mode, coremail, responsibleIds, schedule, note } = more
    const nextRunAt = await findNextRun(ctx, schedule)
    await ctx.db`
      insert into book_syncs (id, name, vendor, mode, coremail, application, host, secret, roots, category_ids, fields, leavers, thresholds,
        responsible_ids, schedule, next_run_at, note, updated_at)
      values (${id}, ${name}, ${vendor}, ${mode}, ${coremail && json(coremail)}::text::jsonb, ${application}, ${host}, ${secret === '' ? null : ctx.secrets.seal(secret)}, ${json(roots)}::text::jsonb,
        ${categoryIds}::uuid[], ${fields}, ${leavers}, ${json(thresholds)}::text::jsonb,
        ${responsibleIds}::uuid[], ${schedule && json(schedule)}::text::jsonb, ${nextRunAt}, ${note}, ${ctx.now()})`
  },
  async update(
    ctx,
    id,
    { name, vendor, application, host, secret, roots, categoryIds, fields, leavers, thresholds, ...more },
  ) {
    const { mode, coremail, responsibleIds, schedule, note } = more
    const nextRunAt = await findNextRun(ctx, schedule)
    await ctx.db`
      update book_syncs set name = ${name}, vendor = ${vendor}, mode = ${mode},
        coremail = ${coremail && json(coremail)}::text::jsonb, application = ${application}, host = ${host},
        secret = ${storedSecret(ctx, secret)}, roots = ${json(roots)}::text::jsonb, category_ids = ${categoryIds}::uuid[],
        fields = ${fields}, leavers = ${leavers}, thresholds = ${json(thresholds)}::text::jsonb,
        responsible_ids = ${responsibleIds}::uuid[], schedule = ${schedule && json(schedule)}::text::jsonb,
        next_run_at = ${nextRunAt}, note = ${note},
        version = version + 1, updated_at = ${ctx.now()}
      where id = ${id}`
  },
  async remove({ db }, id) {
    await db`delete from book_syncs where id = ${id}`
  },
}

export async function isNameTaken(db: Db, name: string, exceptId: string | null): Promise<boolean> {
  const [row] = await db`select 1 from book_syncs where name = ${name} and id is distinct from ${exceptId}`
  return row !== undefined
}

export async function hasMailProvider(db: Db, exceptId: string | null): Promise<boolean> {
  const [row] = await db`
    select 1 from book_syncs where vendor = any(${[...MAILBOX_VENDORS]}) and id is distinct from ${exceptId}`
  return row !== undefined
}

/** The secret in clear. */
export async function findSecret({ db, secrets }: Context, id: string): Promise<string> {
  const [row] = await db<{ secret: string | null }[]>`select secret from book_syncs where id = ${id}`
  return row?.secret ? secrets.open(row.secret) : ''
}

export type DueBook = DueSync & Pick<BookSync, 'mode'>

/** Locks due syncs, so that no other node starts them. */
export const lockDueSyncs = (db: Db, now: Date) => db<DueBook[]>`
  select id, name, schedule, mode from book_syncs where mode <> 'off' and next_run_at <= ${now} order by next_run_at limit 100 for update skip locked`

/** When a scheduled sync is due next. */
export const setNextRun = (db: Db, id: string, at: Date | null) => db`
  update book_syncs set next_run_at = ${at} where id = ${id} and next_run_at is not null`

/** How many of these categories exist. */
export async function countCategories(db: Db, ids: readonly string[]): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from user_categories where id = any(${ids as string[]}::uuid[])`
  return row?.count ?? 0
}

/** Links belong to one address book: another one has other people. */
export const deleteLinks = (db: Db, syncId: string) => db`delete from book_links where sync_id = ${syncId}`
