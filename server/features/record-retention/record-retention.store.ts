import type { RecordKind } from '#shared/contract/record-retention.ts'
import { RECORD_KINDS } from '#shared/contract/record-retention.ts'
import type { Db } from '../../platform/db.ts'

/** `rows` as estimated by the database. */
export type RecordPartition = { name: string; kind: RecordKind; month: string; rows: number; bytes: number }

const TABLES = RECORD_KINDS.map((kind) => `${kind}_records`)

/** For estimating the rows of a table that was never analysed. */
const BYTES_OF_ROW = 200

/** The existing months of records, latest first; without rows outside any month's partition. */
export const listPartitions = (db: Db) => db<RecordPartition[]>`
  select c.relname as name, split_part(c.relname, '_', 1) as kind,
    translate(substring(c.relname from '\\d{4}_\\d{2}$'), '_', '-') as month,
    (case when c.reltuples < 0 then pg_relation_size(c.oid) / ${BYTES_OF_ROW}::int else c.reltuples end)::float8 as rows,
    pg_total_relation_size(c.oid)::float8 as bytes
  from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
    join pg_namespace n on n.oid = p.relnamespace and n.nspname = current_schema()
  where p.relname = any(${TABLES}) and c.relname ~ '^[a-z]+_records_\\d{4}_\\d{2}$'
  order by month desc, kind limit 5000`

/** Exactly: what is said of a deleted month can't be verified later. */
export async function countRecords(db: Db, name: string): Promise<number> {
  const [row] = await db<{ rows: number }[]>`select count(*)::float8 as rows from ${db(name)}`
  return row?.rows ?? 0
}

/**
 * A month is dropped as one table: no row is read. Writers of records wait as long as this waits for its lock, so that is short; a month
 * being read is left for the next run.
 */
const LOCK_TIMEOUT = '200ms'

export async function dropPartition(db: Db, name: string): Promise<void> {
  await db`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`
  await db`drop table ${db(name)}`
}

type JobRow = { startedAt: Date; finishedAt: Date | null; error: string | null }

export async function findLastRun(db: Db, job: string): Promise<JobRow | null> {
  const [row] = await db<JobRow[]>`
    select started_at, finished_at, error from job_runs where name = ${job}`
  return row ?? null
}

type DroppedRow = { name: string; at: Date; rows: number; bytes: number; archive: string | null }

/** The last dropped months, from the audit records. */
export const listDropped = (db: Db, limit: number) => db<DroppedRow[]>`
  select target_id as name, at, (before->>'rows')::float8 as rows, (before->>'bytes')::float8 as bytes, before->>'archive' as archive
  from audit_records where target_kind = 'records' and action = 'records.drop' order by at desc, id desc limit ${limit}`
