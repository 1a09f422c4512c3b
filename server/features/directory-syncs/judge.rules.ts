import type { DirectorySyncFields } from '#shared/contract/directory-syncs.ts'
import type { HeldReason, SyncOutcome } from '#shared/contract/sync-runs.ts'

export type RunFigures = {
  rowsRead: number
  /** The most rows of a good run in the past month; null: none. */
  expectedRows: number | null
  /** Previously linked people. */
  linked: number
  counts: Partial<Record<SyncOutcome, number>>
  newlyMissing: number
  /** How many people each field changes for. */
  fields: readonly { field: string; count: number }[]
}

/** Why a plan needs approval; empty: it doesn't. Checked before anything is written. */
export function judgePlan(
  { rowsRead, expectedRows, linked, counts, newlyMissing, fields }: RunFigures,
  thresholds: DirectorySyncFields['thresholds'],
): HeldReason[] {
  const reasons: HeldReason[] = []
  const hold = (
    kind: HeldReason['kind'],
    count: number,
    of: number,
    threshold: number | null,
    field: string | null = null,
  ) => reasons.push({ kind, count, of, threshold, field })
  const holdOver = (
    kind: HeldReason['kind'],
    count: number,
    of: number,
    threshold: number,
    field: string | null = null,
  ) => {
    if (count > 0 && count * 100 > of * threshold) hold(kind, count, of, threshold, field)
  }
  if (linked === 0 && rowsRead > 0) hold('first-run', rowsRead, 0, null)
  if (expectedRows !== null && rowsRead * 100 < expectedRows * thresholds.rows)
    hold('fewer-rows', rowsRead, expectedRows, thresholds.rows)
  if (linked > 0) {
    holdOver('missing', Math.max(newlyMissing, counts.leaver ?? 0), linked, thresholds.missing)
    holdOver('changed', counts.changed ?? 0, linked, thresholds.changed)
    holdOver('created', counts.new ?? 0, linked, thresholds.created)
    for (const { field, count } of fields) holdOver('field', count, linked, thresholds.field, field)
  }
  holdOver('bad', (counts.bad ?? 0) + (counts.conflict ?? 0), rowsRead, thresholds.bad)
  return reasons
}
