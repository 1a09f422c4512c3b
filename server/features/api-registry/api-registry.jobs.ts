import type { Platform } from '../../platform/platform.ts'
import { deleteCallsBefore, partitionsBefore } from './calls.store.ts'

/** Months of which single calls are kept besides the current one; their counts stay as long as other records. */
const MONTHS_KEPT = 2
const DAYS_COUNTED = 400

/** Nightly: forgets calls by whole months, which costs nothing however many they were. */
export async function forgetApiCalls({ sql, now }: Platform): Promise<void> {
  const time = now()
  const first = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - MONTHS_KEPT, 1))
  const month = first.toISOString().slice(0, 7).replace('-', '_')
  for (const { name } of await partitionsBefore(sql, month)) await sql`drop table if exists ${sql(name)}`
  await deleteCallsBefore(sql, first, new Date(time.getTime() - DAYS_COUNTED * 86_400_000))
}
