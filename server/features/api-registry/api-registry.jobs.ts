import { DAY_MS } from '#shared/rules/durations.ts'
import type { Platform } from '../../platform/platform.ts'
import { deleteCallCounts } from '../statistics/index.ts'
import { deleteCallsBefore, listPartitionsBefore } from './calls.store.ts'

/** Months of which single calls are kept besides the current one; their counts are kept as long as other records. */
const RETENTION_MONTHS = 2
const RETENTION_DAYS = 400

/** Nightly: deletes calls by whole months, which costs nothing however many there were. */
export async function deleteOldApiCalls({ sql, now }: Platform): Promise<void> {
  const time = now()
  const first = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - RETENTION_MONTHS, 1))
  const month = first.toISOString().slice(0, 7).replace('-', '_')
  for (const { name } of await listPartitionsBefore(sql, month)) await sql`drop table if exists ${sql(name)}`
  await deleteCallsBefore(sql, first)
  await deleteCallCounts(sql, new Date(time.getTime() - RETENTION_DAYS * DAY_MS))
}
