import type { HeldReason, RunProgress, SyncOutcome, SyncRunState, SyncUndoOutcome } from '#shared/contract/sync-runs.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import type { UndoableState } from '#shared/rules/undoable-run.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'

/** A run of a sync, in either direction. */
export type RunRowBase = {
  id: string
  syncId: string
  syncName: string
  state: SyncRunState
  /** The state to return to if an undo is interrupted. */
  stateBeforeUndo: UndoableState
  dryRun: boolean
  syncVersion: number
  rowsRead: number
  counts: Partial<Record<SyncOutcome, number>>
  undo: Partial<Record<SyncUndoOutcome, number>> | null
  heldFor: HeldReason[]
  problem: string | null
  words: string
  reason: string | null
  startedBy: string | null
  decidedBy: string | null
  undoneBy: string | null
  undoReason: string | null
  startedAt: Date
  finishedAt: Date | null
  /** The rows of its task, while that works on it. */
  work: RunProgress
}

/** A run whose task has ended without it, with the state that it was in. */
export type InterruptedRun = Pick<RunRowBase, 'id' | 'syncId' | 'state' | 'dryRun'>

/** Which of a run's rows are shown: after a row, with an outcome of the run or of its undo if they are given. */
export type RowPage = {
  runId: string
  outcome: SyncOutcome | null
  undo: SyncUndoOutcome | null
  after: number
  most: number
}

type RunTables<More extends object> = {
  runs: 'directory_sync_runs' | 'book_runs'
  syncs: 'directory_syncs' | 'book_syncs'
  /** What allows one run at a time, by a unique index of `runs`. */
  lockedBy: 'source_id' | 'sync_id'
  /** States in which a task works on the run. */
  underWay: readonly SyncRunState[]
  /** Further columns of these runs, by property. */
  more: Readonly<Record<keyof More & string, string>>
}

type NewRun = { id: string; syncId: string; dryRun: boolean; syncVersion: number; startedBy: string | null; at: Date }

type Changes = Pick<
  RunRowBase,
  | 'state'
  | 'stateBeforeUndo'
  | 'undo'
  | 'rowsRead'
  | 'counts'
  | 'heldFor'
  | 'problem'
  | 'words'
  | 'reason'
  | 'finishedAt'
  | 'undoReason'
> & { taskId: string; decidedBy: string; undoneBy: string }

const CHANGED: Readonly<Record<keyof Changes, string>> = {
  ...{
    state: 'state',
    stateBeforeUndo: 'state_before_undo',
    undo: 'undo',
    rowsRead: 'rows_read',
    counts: 'counts',
    heldFor: 'held_for',
    problem: 'problem',
  },
  ...{ words: 'words', reason: 'reason', finishedAt: 'finished_at', taskId: 'task_id', decidedBy: 'decided_by' },
  ...{ undoneBy: 'undone_by', undoReason: 'undo_reason' },
}

type Cell = string | number | boolean | Date | null

/** Values by column; absent ones stay unchanged. */
function cellsOf(db: Db, values: object, columns: Readonly<Record<string, string>>) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    given.map(([name, value]) => {
      const isPlain = typeof value !== 'object' || value instanceof Date
      return [columns[name] ?? name, isPlain ? (value as Cell) : db.json(value)]
    }),
  )
}

/** A source that shrinks a little in each run is compared with what it had a month ago. */
const EXPECTED_ROWS_DAYS = 30

/** An interrupted undo can be requested again. */
const interruptedState = (db: Db) => db`case r.state when 'undoing' then r.state_before_undo else 'failed' end`

/** How far the task of a run `r` is; null: none works on it. */
export const workOf = (db: Db) => db`
  (select jsonb_build_object('done', least(t.done, t.total), 'total', t.total) from background_tasks t
    where t.id = r.task_id and t.state in ('queued', 'running'))`

/** The fragments of every statement about runs `r`. */
function fragmentsOf<More extends object>({ runs, syncs, underWay, more }: RunTables<More>) {
  const isUnderWay = (db: Db) => db`r.state = any(${underWay as string[]})`
  /** Its task ended without it: killed too often, or by an unexpected error. */
  const isInterrupted = (db: Db) => db`(${isUnderWay(db)}
    and not exists (select from background_tasks t where t.id = r.task_id and t.state in ('queued', 'running')))`
  const ownColumns = (db: Db) =>
    Object.entries<string>(more).reduce((all, [name, column]) => db`${all}, r.${db(column)} as ${db(name)}`, db``)
  const columns = (db: Db) => db`
    r.id, r.sync_id, s.name as sync_name, r.dry_run, r.sync_version,
    case when ${isInterrupted(db)} then ${interruptedState(db)} else r.state end as state,
    r.state_before_undo, r.rows_read, r.counts, r.undo,
    ${workOf(db)} as work,
    r.held_for, case when ${isInterrupted(db)} then 'interrupted' else r.problem end as problem, r.words, r.reason,
    a.name as started_by, b.name as decided_by, c.name as undone_by, r.undo_reason, r.started_at, r.finished_at
    ${ownColumns(db)}`
  const tables = (db: Db) => db`
    ${db(runs)} r join ${db(syncs)} s on s.id = r.sync_id left join users a on a.id = r.started_by
    left join users b on b.id = r.decided_by left join users c on c.id = r.undone_by`
  return { isUnderWay, isInterrupted, columns, tables }
}

/** Adds one to a counter among the further columns of a run. */
export const incrementRun = (db: Db, runs: RunTables<object>['runs'], counter: string, id: string) => db`
  update ${db(runs)} set ${db(counter)} = ${db(counter)} + 1 where id = ${id}`

type GoodRuns = { runs: string; syncId: string; now: Date; only: SqlFragment }

/**
 * The most rows of a good run in the past month, or of the last good one if that is older; null: there is none. `only` narrows the runs `r`.
 * Whoever approves a run with fewer rows sets the figure anew.
 */
async function findExpectedRows(db: Db, { runs, syncId, now, only }: GoodRuns): Promise<number | null> {
  const since = new Date(now.getTime() - EXPECTED_ROWS_DAYS * DAY_MS)
  const [row] = await db<{ rows: number | null }[]>`
    with good as (select r.* from ${db(runs)} r where r.sync_id = ${syncId} and r.state = 'done' and ${only}),
    recent as (select * from good
      where started_at >= least(${since}, (select started_at from good order by started_at desc limit 1)))
    select max(rows_read) as rows from recent where started_at >= coalesce((select max(started_at) from recent
      where decided_by is not null and held_for @> '[{"kind": "fewer-rows"}]'), '-infinity')`
  return row?.rows ?? null
}

/** The store of one kind of sync's runs. `Row` is a run as read, `More` its properties besides `RunRowBase`. */
export function createRunStore<More extends object = object, Row extends RunRowBase = RunRowBase & More>(
  described: RunTables<More>,
) {
  const { runs, lockedBy, more } = described
  const { isUnderWay, isInterrupted, columns, tables } = fragmentsOf(described)
  /** Ends runs whose task ended without them. `only` narrows the runs `r`. Each run is returned once only, so that people are notified once. */
  const endInterrupted = (db: Db, at: Date, only = db`true`) => db<InterruptedRun[]>`
    with former as (select r.id, r.state from ${db(runs)} r where ${only} and ${isInterrupted(db)} for update of r)
    update ${db(runs)} r set state = ${interruptedState(db)}, problem = 'interrupted', finished_at = ${at}
    from former f where r.id = f.id returning r.id, r.sync_id, f.state, r.dry_run`
  return {
    endInterrupted,

    async findRun(db: Db, id: string, lock = false): Promise<Row | null> {
      const [row] = await db<Row[]>`
        select ${columns(db)} from ${tables(db)} where r.id = ${id} ${lock ? db`for update of r` : db``}`
      return (row as Row | undefined) ?? null
    },

    /** The latest fifty, newest first. */
    listRunsOf: (db: Db, syncId: string) => db<Row[]>`
      select ${columns(db)} from ${tables(db)} where r.sync_id = ${syncId} order by r.started_at desc, r.id desc limit 50`,

    /** @returns false if another run is under way. */
    async insertRun(
      db: Db,
      { id, syncId, dryRun, syncVersion, startedBy, at }: NewRun,
      own: Partial<More>,
    ): Promise<boolean> {
      const row = {
        ...{ id, sync_id: syncId, state: 'reading', dry_run: dryRun, sync_version: syncVersion, started_at: at },
        ...(startedBy && { started_by: startedBy }),
        ...cellsOf(db, own, more),
      }
      const { count } = await db`insert into ${db(runs)} ${db(row)} on conflict do nothing`
      return count > 0
    },

    /** Updates a run that is in one of the states `from`. @returns false if it isn't. */
    async updateRun(
      db: Db,
      id: string,
      from: readonly SyncRunState[],
      change: Partial<Changes> & Partial<More>,
    ): Promise<boolean> {
      const cells = cellsOf(db, change, { ...CHANGED, ...more })
      const { count } = await db`
        update ${db(runs)} set ${db(cells)} where id = ${id} and state = any(${from as string[]})`
      return count > 0
    },

    /** Ends runs as `endInterrupted` does, and plans that a newer run replaces. `lock`: a value of `lockedBy`. */
    async settleFormerRuns(
      db: Db,
      { syncId, lock }: { syncId: string; lock: string },
      at: Date,
    ): Promise<readonly InterruptedRun[]> {
      const ended = await endInterrupted(db, at, db`r.${db(lockedBy)} = ${lock}`)
      await db`
        update ${db(runs)} set state = 'discarded', problem = 'superseded', finished_at = ${at}
        where sync_id = ${syncId} and state in ('planned', 'held')`
      return ended
    },

    /** Is a run under way? Takes no lock: a run that starts at the same moment fails by the unique index. */
    async isBusy(db: Db, lock: string): Promise<boolean> {
      const [row] = await db`select 1 from ${db(runs)} r where r.${db(lockedBy)} = ${lock} and ${isUnderWay(db)}`
      return row !== undefined
    },

    findExpectedRows: (db: Db, syncId: string, now: Date, only = db`true`) =>
      findExpectedRows(db, { runs, syncId, now, only }),

    /** Ids of runs that started before a moment and are not under way. */
    formerRuns: (db: Db, before: Date) =>
      db`select r.id from ${db(runs)} r where r.started_at < ${before} and not ${isUnderWay(db)}`,
  }
}
