import type { Context } from '../../platform/platform.ts'

/** A target as `before` and `after` of its audit lines hold it: complete, without secrets. */
export type Snapshot = Record<string, unknown>

/** A target as it stands. */
export type TargetState = { name: string | null; version: number; snapshot: Snapshot }

/** Something of a former state that can't come back: what it refers to is gone, or the bootstrap file says otherwise. */
export type MissingReference = { field: string; value: string; isSetByFile?: boolean }

export type ChangeSide = 'before' | 'after'

/** A line of the history, as far as it says what can be put back. */
export type ChangeLine = { targetId: string; before: Snapshot | null; after: Snapshot | null }

/** How a kind of target is put back to a former state; its feature knows, and `server/app.ts` hands it over. */
export type Restorer = {
  /**
   * For a kind whose lines tell of a part of their target, or that a part was not there: which part it is, with an id of its own
   * by which the others know it, and its whole state on that side; null: the line does not say, or nobody may put it back. Absent: the target itself, as
   * the line has it.
   */
  partOf?(line: ChangeLine, side: ChangeSide): { id: string; state: Snapshot } | null
  /** The targets with these ids (`target_id` of the audit lines, or those of `partOf`) as they stand; those that are gone are missing from the answer. */
  current(ctx: Context, targetIds: readonly string[]): Promise<ReadonlyMap<string, TargetState>>
  /** What of `snapshot` can't come back; absent: everything can. */
  missing?(ctx: Context, targetId: string, snapshot: Snapshot): Promise<MissingReference[]>
  /**
   * Writes a former state in the transaction of `ctx.db`, without what is missing, checked like any other change; secrets stay as they are.
   * The audit line is written by the caller, from `current` before and after.
   * @throws Refusal `version.conflict` when the target has another version by now.
   */
  restore(ctx: Context, targetId: string, snapshot: Snapshot, version: number): Promise<void>
}
