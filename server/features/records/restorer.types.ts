import type { Context } from '../../platform/platform.ts'

/** A target as in `before` and `after` of its audit records: complete, without secrets. */
export type Snapshot = Record<string, unknown>

/** The current state of a target. */
export type TargetState = { name: string | null; version: number; snapshot: Snapshot }

/** A part of a former state that can't be restored: its reference is deleted, or the bootstrap file sets something else. */
export type MissingReference = { field: string; value: string; isSetByFile?: boolean }

export type ChangeSide = 'before' | 'after'

/** An audit record, as far as it matters for a rollback. */
export type ChangeLine = { targetId: string; before: Snapshot | null; after: Snapshot | null }

/** How a kind of target is rolled back; provided by its feature and passed on by `server/app.ts`. */
export type Restorer = {
  /**
   * For a kind whose records are about a part of their target: that part, with an id that the other functions use, and its complete state
   * on that side; null: the record does not say, or it can't be rolled back. Absent: the target itself, as recorded.
   */
  partOf?(line: ChangeLine, side: ChangeSide): { id: string; state: Snapshot } | null
  /** The current state of the targets with these ids (`target_id` of the audit records, or those of `partOf`); deleted ones are missing. */
  current(ctx: Context, targetIds: readonly string[]): Promise<ReadonlyMap<string, TargetState>>
  /** The part of `snapshot` that can't be restored; absent: everything can. */
  missing?(ctx: Context, targetId: string, snapshot: Snapshot): Promise<MissingReference[]>
  /**
   * Writes a former state in the transaction of `ctx.db`, without missing references, validated like any other change; secrets stay
   * unchanged. The caller writes the audit record, from `current` before and after.
   * @throws Refusal `version.conflict` if the target has another version by now.
   */
  restore(ctx: Context, targetId: string, snapshot: Snapshot, version: number): Promise<void>
}
