import type { Database } from './db.ts'

/** Records of the last months may still be written late (clocks, imports); one month ahead is needed on the first of a month. */
const MONTHS_BACK = 1
const MONTHS = 4

/**
 * Creates the monthly partitions of the records from last month on. Rows outside them land in the default partition, which would prevent a
 * later partition from being created, so this runs at every start and daily.
 */
export async function ensureRecordPartitions(sql: Database, now: Date): Promise<void> {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS_BACK, 1))
  await sql.begin(async (tx) => {
    // Nodes that start together take turns: otherwise two would create the same partition.
    await tx`select pg_advisory_xact_lock(7402117)`
    await tx`select ensure_record_partitions(${first.toISOString().slice(0, 10)}::date, ${MONTHS})`
  })
}
