import type { BatchAnswer, batchUpdateUsers, PersonVerb } from '#shared/contract/user-verbs.ts'
import type { FieldProblem, FreezeCause, UserFilters } from '#shared/contract/users.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { startTask } from '../background-tasks/index.ts'
import { notifyOfDormancy } from '../dormancy/index.ts'
import { listPeopleIds } from '../people-list/index.ts'
import type { PersonFields } from '../people-save/index.ts'
import { problemCode, problemReason, saveUsers } from '../people-save/index.ts'
import { changeRoleMembership, type RoleMembershipChange } from '../roles/index.ts'
import { userErrors as errors } from '../user-accounts/index.ts'
import { requireValidDates } from './verbs.rules.ts'
import { applyVerb, previewVerb, type VerbOutcome } from './verbs.service.ts'

/** Up to this many are changed within the request; more in the background. */
export const MAX_SYNC_PEOPLE = 1000
/** Lists count exactly only up to this. */
const MAX_EXACT_COUNT = 10_000

export type PeopleSelection = { ids: string[] } | { all: UserFilters; expected: number }

/** What is done to each person: a verb, the same values for some fields, a role added or removed, or a notice. */
export type BatchWork =
  | {
      kind: 'verb'
      verb: PersonVerb
      reason?: string | undefined
      note?: string | undefined
      cause?: FreezeCause | undefined
      from?: string | undefined
      until?: string | undefined
    }
  | { kind: 'fields'; fields: PersonFields }
  | ({ kind: 'role' } & RoleMembershipChange)
  /** A notice of their dormancy, sent now. */
  | { kind: 'notice' }

/** Kind of background task, with the message `task.<kind>`. */
export const BATCH_TASK_KIND = 'user.batch-change'

/** The input of the task: the people, or the filters if there are too many to list. */
export type BatchTaskInput = { work: BatchWork } & ({ ids: string[] } | { filters: UserFilters })

export type BatchTally = Omit<BatchAnswer, 'taskId'>

const isFilterSelection = (selection: PeopleSelection): selection is { all: UserFilters; expected: number } =>
  'all' in selection

/**
 * Does the same to everybody selected; each is judged separately, and failures are reported with the reason. More than 1,000 are changed in
 * the background: those found now, and above 10,000 those whom the filters find while it runs.
 * @throws Refusal `selection.changed` if the filters match other people than the caller was shown; as `requireValidDates`.
 */
export async function changePeople(
  ctx: Context,
  selection: PeopleSelection,
  work: BatchWork,
  dryRun: boolean,
): Promise<BatchAnswer> {
  if (work.kind === 'verb') requireValidDates(toDates(work), ctx.now())
  const ids = isFilterSelection(selection) ? await findExpectedIds(ctx, selection) : [...new Set(selection.ids)]
  if (ids.length <= MAX_SYNC_PEOPLE) return { ...(await applyWork(ctx, ids, work, dryRun)), taskId: null }
  const none = { changed: dryRun ? ids.length : 0, unchanged: 0, refusedCount: 0, refused: [], reversibleIds: [] }
  if (dryRun || !isFilterSelection(selection)) return { ...none, taskId: null }
  const input: BatchTaskInput =
    ids.length <= MAX_EXACT_COUNT ? { ids: ids.toSorted(), work } : { filters: selection.all, work }
  const total = Math.max(ids.length, selection.expected)
  const taskId = await transaction(ctx, (inner) => startTask(inner, { kind: BATCH_TASK_KIND, input, total }))
  return { ...none, taskId }
}

async function findExpectedIds(
  ctx: Context,
  { all, expected }: { all: UserFilters; expected: number },
): Promise<string[]> {
  const ids = await transaction(ctx, (inner) => listPeopleIds(inner, all, { limit: MAX_EXACT_COUNT + 1 }))
  const isMore = ids.length > MAX_EXACT_COUNT && expected >= MAX_EXACT_COUNT
  if (!isMore && ids.length !== expected) throw errors['selection.changed']({ params: { count: ids.length } })
  return ids
}

/** One step: at most 1,000 people, in one transaction. */
export async function applyWork(
  ctx: Context,
  ids: readonly string[],
  work: BatchWork,
  dryRun: boolean,
): Promise<BatchTally> {
  const outcomes = await runWork(ctx, ids, work, dryRun)
  const refused = outcomes.filter(({ status }) => status === 'refused')
  return {
    reversibleIds: outcomes.flatMap(({ id, status, replaces }) => (status === 'changed' && !replaces ? [id] : [])),
    changed: outcomes.filter(({ status }) => status === 'changed').length,
    unchanged: outcomes.filter(({ status }) => status === 'unchanged').length,
    refusedCount: refused.length,
    refused: refused.map(({ id, account, name, code, params, problems = [] }) => ({
      id,
      account,
      name,
      code: code ?? problemCode(problems),
      message: code ? ctx.translate(ctx.client.language, `errors.${code}`, params) : problemReason(ctx, problems),
    })),
  }
}

type WorkOutcome = VerbOutcome & { problems?: readonly FieldProblem[] }

async function runWork(ctx: Context, ids: readonly string[], work: BatchWork, dryRun: boolean): Promise<WorkOutcome[]> {
  if (work.kind === 'verb') return await applyVerbWork(ctx, ids, work, dryRun)
  if (work.kind === 'notice') return await notifyOfDormancy(ctx, ids, dryRun)
  if (work.kind === 'role') return await changeRoleMembership(ctx, ids, work, dryRun)
  return await applyFieldsWork(ctx, ids, work, dryRun)
}

type VerbWork = Extract<BatchWork, { kind: 'verb' }>

const toDates = ({ from, until }: VerbWork) => ({
  from: from ? new Date(from) : null,
  until: until ? new Date(until) : null,
})

function applyVerbWork(ctx: Context, ids: readonly string[], work: VerbWork, dryRun: boolean) {
  const { verb, reason, note, cause } = work
  const input = { verb, reason, note, cause, ...toDates(work) }
  return transaction(ctx, (inner) => (dryRun ? previewVerb(inner, ids, input) : applyVerb(inner, ids, input)))
}

async function applyFieldsWork(
  ctx: Context,
  ids: readonly string[],
  { fields }: Extract<BatchWork, { kind: 'fields' }>,
  dryRun: boolean,
): Promise<WorkOutcome[]> {
  const rows = ids.map((id) => ({ ...fields, id, account: '' }))
  const outcomes = await saveUsers(ctx, rows, { mode: 'update', dryRun })
  return outcomes.map(({ id, account, status, code, problems }, at) => {
    const workStatus = status === 'updated' || status === 'created' ? 'changed' : status
    // For people out of scope not even the account is reported.
    const isNotFound = code === 'user.not-found'
    return { id: id ?? ids[at] ?? '', account: isNotFound ? '' : account, name: '', status: workStatus, code, problems }
  })
}

type BatchFields = Input<typeof batchUpdateUsers>['body']['fields']

export const toPersonFields = (fields: BatchFields): PersonFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as PersonFields
