import type { DirectorySync, DirectorySyncFields, directorySyncs } from '#shared/contract/directory-syncs.ts'
import type { SyncRunState } from '#shared/contract/sync-runs.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { escapeLike } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import type { Context } from '../../platform/platform.ts'
import { type Ranked, takesPrecedence } from '../field-authority/index.ts'
import { type ResourceStore, resourceReads } from '../resources/index.ts'
import { type DueSync, findNextRun, responsibleOf } from '../sync-runs/index.ts'

export type SyncQuery = Input<typeof directorySyncs.list>['query']

const columns = ({ db, client: { language } }: Context): SqlFragment => db`
  y.id, y.version, y.name, y.source_id, y.objects, y.departments, y.table_name as "table", y.key_column, y.mapping,
  y.match_by, y.thresholds, y.leavers, y.rank, y.responsible_ids, y.cursor_column,
  case when y.cursor_key = concat(y.table_name, ' ', y.cursor_column) then y.cursor_value end as cursor, y.schedule, y.next_run_at, y.note, y.updated_at, s.name as source_name,
  (select count(*)::int from directory_links l where l.sync_id = y.id) as linked,
  (select count(*)::int from directory_department_links d where d.sync_id = y.id) as linked_departments,
  (select ${localized(db, 'o', language)} from organizations o where o.id = (y.leavers ->> 'organizationId')::uuid) as leaver_department,
  (select count(*)::int from directory_matches m where m.sync_id = y.id and m.decision is null) as open_matches,
  ${responsibleOf(db, 'y')} as responsible,
  r.id as run_id, r.state as run_state, r.started_at as run_at`
const tables = (db: Db): SqlFragment => db`
  directory_syncs y join data_sources s on s.id = y.source_id
  left join lateral (select id, state, started_at from directory_sync_runs where sync_id = y.id
    order by started_at desc, id desc limit 1) r on true`

function matches(db: Db, { search, sourceId }: SyncQuery): SqlFragment {
  const pattern = `%${escapeLike(search.normalize('NFKC'))}%`
  return db`(${search} = '' or y.name ilike ${pattern} or y.note ilike ${pattern})
    and ${sourceId ? db`y.source_id = ${sourceId}` : db`true`}`
}

type StoredSync = Omit<DirectorySync, 'updatedAt' | 'lastRun' | 'nextRunAt'> & {
  updatedAt: Date
  nextRunAt: Date | null
  runId: string | null
  runState: SyncRunState | null
  runAt: Date | null
}

const toSync = ({ updatedAt, nextRunAt, runId, runState, runAt, ...row }: StoredSync): DirectorySync => ({
  ...row,
  lastRun: runId && runState && runAt ? { id: runId, state: runState, startedAt: runAt.toISOString() } : null,
  nextRunAt: toIso(nextRunAt),
  updatedAt: updatedAt.toISOString(),
})

const json = (value: unknown) => JSON.stringify(value)

export const syncsStore: ResourceStore<DirectorySyncFields, DirectorySync, SyncQuery> = {
  ...resourceReads<StoredSync, DirectorySync, SyncQuery>({
    table: 'directory_syncs',
    alias: 'y',
    columns,
    from: tables,
    matches,
    toShown: toSync,
  }),
  async insert(ctx, id, { name, sourceId, table, keyColumn, matchBy, note, ...fields }) {
    const nextRunAt = await findNextRun(ctx, fields.schedule)
    await ctx.db`
      insert into directory_syncs (id, name, source_id, objects, departments, table_name, key_column, mapping, match_by, thresholds, leavers, rank, responsible_ids, cursor_column, schedule,
        next_run_at, note, updated_at)
      values (${id}, ${name}, ${sourceId}, ${fields.objects}, ${fields.departments && json(fields.departments)}::text::jsonb, ${table}, ${keyColumn}, ${json(fields.mapping)}::text::jsonb, ${matchBy},
        ${json(fields.thresholds)}::text::jsonb, ${json(fields.leavers)}::text::jsonb, ${fields.rank}, ${fields.responsibleIds}::uuid[], ${fields.cursorColumn},
        ${fields.schedule && json(fields.schedule)}::text::jsonb, ${nextRunAt}, ${note}, ${ctx.now()})`
  },
  async update(ctx, id, { name, sourceId, table, keyColumn, matchBy, note, ...fields }) {
    const nextRunAt = await findNextRun(ctx, fields.schedule)
    await ctx.db`
      update directory_syncs set name = ${name}, source_id = ${sourceId}, objects = ${fields.objects},
        departments = ${fields.departments && json(fields.departments)}::text::jsonb, table_name = ${table}, key_column = ${keyColumn},
        mapping = ${json(fields.mapping)}::text::jsonb, match_by = ${matchBy},
        thresholds = ${json(fields.thresholds)}::text::jsonb, leavers = ${json(fields.leavers)}::text::jsonb, rank = ${fields.rank},
        responsible_ids = ${fields.responsibleIds}::uuid[], cursor_column = ${fields.cursorColumn},
        schedule = ${fields.schedule && json(fields.schedule)}::text::jsonb, next_run_at = ${nextRunAt},
        note = ${note}, version = version + 1, updated_at = ${ctx.now()}
      where id = ${id}`
  },
  async remove({ db }, id) {
    await db`delete from directory_syncs where id = ${id}`
  },
}

export async function isNameTaken(db: Db, name: string, exceptId: string | null): Promise<boolean> {
  const [row] = await db`select 1 from directory_syncs where name = ${name} and id is distinct from ${exceptId}`
  return row !== undefined
}

/** Does no other sync of people take precedence over this one? */
export async function isFirstByRank(db: Db, sync: Ranked): Promise<boolean> {
  const [row] = await db`
    select from directory_syncs y where ${takesPrecedence(db, sync)} and y.objects <> 'departments' limit 1`
  return row === undefined
}

/** Locks due syncs, so that no other node starts them. */
export const lockDueSyncs = (db: Db, now: Date) => db<DueSync[]>`
  select id, name, schedule from directory_syncs where next_run_at <= ${now} order by next_run_at limit 100
  for update skip locked`

/** The version of a sync, which nobody changes before the transaction ends; null: it was deleted. */
export async function lockVersion(db: Db, id: string): Promise<number | null> {
  const [row] = await db<{ version: number }[]>`select version from directory_syncs where id = ${id} for share`
  return row?.version ?? null
}

/** When a scheduled sync is due next. */
export const setNextRun = (db: Db, id: string, at: Date | null) => db`
  update directory_syncs set next_run_at = ${at} where id = ${id} and next_run_at is not null`

/** How many of these organisations exist. */
export async function countOrganizations(db: Db, ids: readonly string[]): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from organizations where id = any(${ids as string[]}::uuid[])`
  return row?.count ?? 0
}

/** Where the next incremental run starts; null: the next run is full. */
export const setCursor = (db: Db, id: string, key: string, value: string | null) => db`
  update directory_syncs set cursor_key = ${key}, cursor_value = ${value} where id = ${id}`

/** When the last applied full run started; null: none. */
export async function findLastFullRun(db: Db, syncId: string): Promise<Date | null> {
  const [row] = await db<{ startedAt: Date }[]>`
    select started_at from directory_sync_runs where sync_id = ${syncId} and objects = 'people' and mode = 'full' and state = 'done'
    order by started_at desc limit 1`
  return row?.startedAt ?? null
}
