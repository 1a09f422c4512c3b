import type { DirectorySyncFields, HeldReason, SyncOutcome } from '#shared/contract/directory-syncs.ts'

export type RunFigures = {
  rowsRead: number
  /** Of the last good run; null: there was none. */
  lastRows: number | null
  /** People who were linked before. */
  linked: number
  counts: Partial<Record<SyncOutcome, number>>
  newlyMissing: number
  /** How many people each field changes of. */
  fields: readonly { field: string; count: number }[]
}

/** Why nobody but a person may let a plan through; empty: it is as usual. Asked before the first write. */
export function judgePlan(
  { rowsRead, lastRows, linked, counts, newlyMissing, fields }: RunFigures,
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
  if (lastRows !== null && rowsRead * 100 < lastRows * thresholds.rows)
    hold('fewer-rows', rowsRead, lastRows, thresholds.rows)
  if (linked > 0) {
    holdOver('missing', Math.max(newlyMissing, counts.leaver ?? 0), linked, thresholds.missing)
    holdOver('changed', counts.changed ?? 0, linked, thresholds.changed)
    holdOver('created', counts.new ?? 0, linked, thresholds.created)
    for (const { field, count } of fields) holdOver('field', count, linked, thresholds.field, field)
  }
  holdOver('bad', (counts.bad ?? 0) + (counts.conflict ?? 0), rowsRead, thresholds.bad)
  return reasons
}
