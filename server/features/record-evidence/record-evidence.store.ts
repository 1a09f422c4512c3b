import type { RecordKind } from '#shared/contract/record-retention.ts'
import type { Db } from '../../platform/db.ts'

/** The hour before `until`. */
export type Link = { until: Date; rows: number; digest: string; seal: string }

/** One node at a time extends the chain; the lock ends with the transaction. */
export async function lockChain(db: Db): Promise<boolean> {
  const [row] = await db<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(7402131) as locked`
  return row?.locked ?? false
}

export async function findLastLink(db: Db, log: RecordKind): Promise<Link | null> {
  const [row] = await db<Link[]>`
    select until, rows, digest, seal from record_chain where log = ${log} order by until desc limit 1`
  return row ?? null
}

export async function findOldestRecord(db: Db, log: RecordKind): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`select at from ${db(`${log}_records`)} order by at limit 1`
  return row?.at ?? null
}

/**
 * The digest of an hour's records, chained to that of the hour before. The logout time is written later, and columns without a value may be
 * added: neither is included.
 */
export async function digestHour(
  db: Db,
  log: RecordKind,
  { from, until, previous }: { from: Date; until: Date; previous: string },
): Promise<{ rows: number; digest: string }> {
  const [row] = await db<{ rows: number; digest: string }[]>`
    select count(*)::int as rows, encode(sha256(convert_to(
      ${previous}::text || coalesce(string_agg(line, '' order by at, id), ''), 'UTF8')), 'hex') as digest
    from (
      select at, id, encode(sha256(convert_to(jsonb_strip_nulls(to_jsonb(r) - 'logout_at')::text, 'UTF8')), 'hex') as line
      from ${db(`${log}_records`)} r where at >= ${from} and at < ${until}
    ) lines`
  return row ?? { rows: 0, digest: '' }
}

export async function insertLink(db: Db, log: RecordKind, { until, rows, digest, seal }: Link): Promise<void> {
  await db`insert into record_chain (log, until, rows, digest, seal) values (${log}, ${until}, ${rows}, ${digest}, ${seal})`
}

/** The links after a moment, oldest first. */
export const listLinks = (db: Db, log: RecordKind, after: Date | null, most: number) => db<Link[]>`
  select until, rows, digest, seal from record_chain where log = ${log} ${after ? db`and until > ${after}` : db``}
  order by until limit ${most}`

export async function countRecordsBefore(db: Db, log: RecordKind, time: Date): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from ${db(`${log}_records`)} where at < ${time}`
  return row?.count ?? 0
}
