import type {
  acceptImportRows,
  checkImport,
  ImportListed,
  ImportRun,
  ImportState,
  listImports,
} from '#shared/contract/user-imports.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, type Platform, transaction } from '../../platform/platform.ts'
import { visibleOwner } from '../access/index.ts'
import { startTask } from '../background-tasks/index.ts'
import { recordAudit } from '../records/index.ts'
import { normalizeHeading } from './import-columns.rules.ts'
import { requireColumnsAllowed } from './import-roles.rules.ts'
import { errors } from './user-imports.errors.ts'
import {
  countOutcomes,
  deleteRowsBefore,
  findRun,
  hasRows,
  listStagedRows,
  NO_COUNTS,
  pageOfRuns,
  type RunRow,
  updateAccepted,
  updateRun,
  upsertSavedColumns,
} from './user-imports.store.ts'

/** @throws Refusal `import.not-found`. */
export async function getRun(ctx: Context, id: string, lock = false): Promise<RunRow> {
  const run = await findRun(ctx.db, { id, ownerId: visibleOwner(ctx), lock })
  if (!run) throw errors['import.not-found']()
  return run
}

/** The state of a run whose task ended before it was done. */
const STATE_AFTER_ABORT: Partial<Record<ImportState, (taskState: string) => ImportState>> = {
  checking: () => 'read',
  importing: (taskState) => (taskState === 'cancelled' ? 'cancelled' : 'failed'),
  undoing: () => 'finished',
}

/** Derived from its task: after a crash nobody is left to update the run. */
function currentState({ state, taskState }: RunRow): ImportState {
  const hasEnded = taskState === 'cancelled' || taskState === 'failed' || taskState === null
  return hasEnded ? (STATE_AFTER_ABORT[state]?.(taskState ?? 'failed') ?? state) : state
}

function toListItem(ctx: Context, run: RunRow): ImportListed {
  const { id, ownerName, fileName, format, encoding, separator, rowCount, undo, version } = run
  const { taskId, taskState, taskDone, taskTotal, taskError, taskErrorParams } = run
  return {
    ...{ id, ownerName, fileName, format, encoding, separator, rowCount, undo, version },
    state: currentState(run),
    counts: { ...NO_COUNTS, ...run.counts },
    task:
      (taskId && {
        id: taskId,
        state: taskState ?? '',
        done: taskDone ?? 0,
        total: taskTotal ?? 0,
        error: taskError && ctx.translate(ctx.client.language, `errors.${taskError}`, taskErrorParams ?? {}),
      }) ||
      null,
    createdAt: run.createdAt.toISOString(),
    finishedAt: toIso(run.finishedAt),
  }
}

const EXAMPLE_ROWS = 3

async function toImportRun(ctx: Context, run: RunRow): Promise<ImportRun> {
  const first = await listStagedRows(ctx.db, run.id, { after: 0, most: EXAMPLE_ROWS })
  const examples = first.map(({ cells }) => JSON.parse(ctx.secrets.open(cells)) as string[])
  return { ...toListItem(ctx, run), headings: run.headings, mapping: run.mapping, examples }
}

/** @throws Refusal `import.not-found`. */
export const getImportRun = async (ctx: Context, id: string): Promise<ImportRun> =>
  toImportRun(ctx, await getRun(ctx, id))

/** @throws Refusal `list.too-deep`. */
export async function listRuns(ctx: Context, query: Input<typeof listImports>['query']) {
  const filter = { ownerId: visibleOwner(ctx), search: query.search }
  const page = await pageOfRuns(ctx.db, { ...filter, oldestFirst: query.sort === 'createdAt' }, query)
  return { ...page, records: page.records.map((row) => toListItem(ctx, row)) }
}

type RunTransition = {
  id: string
  version: number
  /** The states in which it is allowed. */
  from: readonly ImportState[]
  to: ImportState
  kind: string
  action: string
  total(run: RunRow): number
  prepare?(inner: Context, run: RunRow): Promise<void>
}

/** The run in the version that the caller has seen, locked until the transaction ends. */
async function lockRun(inner: Context, { id, version, from }: Pick<RunTransition, 'id' | 'version' | 'from'>) {
  const run = await getRun(inner, id, true)
  if (run.version !== version) {
    throw platformErrors['version.conflict']({ data: { current: await toImportRun(inner, run) } })
  }
  if (!from.includes(currentState(run))) throw errors['import.wrong-state']()
  if (!(await hasRows(inner.db, run.id))) throw errors['import.expired']()
  return run
}

/** Starts the background task of a transition; of two at once one succeeds. */
async function startRunTask(ctx: Context, step: RunTransition): Promise<ImportRun> {
  await transaction(ctx, async (inner) => {
    const run = await lockRun(inner, step)
    await step.prepare?.(inner, run)
    const task = { kind: step.kind, input: { importId: run.id }, total: step.total(run) }
    const taskId = await startTask(inner, task)
    await updateRun(inner.db, run.id, { state: step.to, taskId }, inner.now())
    const after = { file: run.fileName, rows: run.rowCount }
    await recordAudit(inner, { action: step.action, targetKind: 'user-import', targetId: run.id, after })
  })
  return await getImportRun(ctx, step.id)
}

type CheckInput = { id: string } & Input<typeof checkImport>['body']

/** @throws Refusal `import.*`, `version.conflict`. */
export function beginCheck(ctx: Context, { id, version, mapping }: CheckInput): Promise<ImportRun> {
  if (!mapping.includes('account')) throw errors['import.no-account-column']()
  requireColumnsAllowed(ctx, mapping)
  return startRunTask(ctx, {
    ...{ id, version },
    from: ['read', 'checked'],
    to: 'checking',
    kind: 'user-import.check',
    action: 'user-import.check',
    total: ({ rowCount }) => rowCount,
    async prepare(inner, run) {
      const fields = run.headings.map((_, at) => mapping[at] ?? null)
      await updateRun(inner.db, run.id, { mapping: fields }, inner.now())
      const columns = new Map(run.headings.map((heading, at) => [normalizeHeading(heading), fields[at] ?? null]))
      columns.delete('')
      const remembered = [...columns].map(([heading, field]) => ({ heading, field }))
      await upsertSavedColumns(inner.db, run.ownerId, remembered, inner.now())
    },
  })
}

/** @throws Refusal `import.*`, `version.conflict`. */
export const beginImport = (ctx: Context, { id, version }: { id: string; version: number }): Promise<ImportRun> =>
  startRunTask(ctx, {
    ...{ id, version },
    from: ['checked', 'cancelled', 'failed'],
    to: 'importing',
    kind: 'user-import.write',
    action: 'user-import.start',
    total: ({ counts }) =>
      Math.max(0, (counts.new ?? 0) + (counts.changed ?? 0) + (counts.accepted ?? 0) - (counts.written ?? 0)),
  })

type AcceptInput = { id: string } & Input<typeof acceptImportRows>['body']

/** Accepts doubtful rows or excludes them again. @throws Refusal `import.*`, `version.conflict`. */
export async function acceptRows(ctx: Context, { id, version, selection, accepted }: AcceptInput): Promise<ImportRun> {
  await transaction(ctx, async (inner) => {
    const run = await lockRun(inner, { id, version, from: ['checked', 'cancelled', 'failed'] })
    await updateAccepted(inner.db, id, 'rows' in selection ? selection.rows : null, accepted)
    const counts = await countOutcomes(inner.db, id)
    await updateRun(inner.db, id, { counts }, inner.now())
    const after = { file: run.fileName, accepted: counts.accepted }
    await recordAudit(inner, { action: 'user-import.accept', targetKind: 'user-import', targetId: id, after })
  })
  return await getImportRun(ctx, id)
}

/** @throws Refusal `import.*`, `version.conflict`. */
export const beginUndo = (ctx: Context, { id, version }: { id: string; version: number }): Promise<ImportRun> =>
  startRunTask(ctx, {
    ...{ id, version },
    from: ['finished', 'cancelled', 'failed'],
    to: 'undoing',
    kind: 'user-import.undo',
    action: 'user-import.undo',
    total: ({ counts }) => counts.written ?? 0,
  })

const RETENTION_DAYS = 30

/** Nightly: deletes the rows of files after a month, with what is needed to undo them. */
export async function purgeImportRows(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - RETENTION_DAYS * DAY_MS)
  while (await deleteRowsBefore(platform.sql, before));
}
