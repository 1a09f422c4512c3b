import type { BatchAnswer, batchUpdateUsers, PersonVerb } from '#shared/contract/user-verbs.ts'
import type { UserFilters } from '#shared/contract/users.ts'
import type { Input } from '../../platform/http/mount.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { startTask } from '../background-tasks/index.ts'
import { changeRoleOfPeople, type RoleChange } from '../roles/index.ts'
import { foundPeople } from './people.service.ts'
import { saveUsers } from './save-users.service.ts'
import type { PersonFields } from './save-users.types.ts'
import { errors } from './users.errors.ts'
import { checkDates } from './verbs.rules.ts'
import { applyVerb, previewVerb, type VerbOutcome } from './verbs.service.ts'

/** So many are done within the request; more in the background. */
export const MOST_AT_ONCE = 1000
/** Lists tell no more than that exactly. */
const MOST_COUNTED = 10_000

export type Selection = { ids: string[] } | { all: UserFilters; expected: number }

/** What is done to each of many: a verb, the same values for some fields, or a role given or taken. */
export type Work =
  | {
      kind: 'verb'
      verb: PersonVerb
      reason?: string | undefined
      from?: string | undefined
      until?: string | undefined
    }
  | { kind: 'fields'; fields: PersonFields }
  | ({ kind: 'role' } & RoleChange)

/** Kinds of background tasks, each with the message `task.<kind>`. */
export const TASK_KIND = 'user.batch-change'

/** What the task is given: the people, or how to find them where they are too many to name. */
export type ManyInput = { work: Work } & ({ ids: string[] } | { filters: UserFilters })

export type Tally = Omit<BatchAnswer, 'taskId'>

const isSearching = (selection: Selection): selection is { all: UserFilters; expected: number } => 'all' in selection

/**
 * Does the same to everybody who was chosen; each is judged alone, and who is refused is told with the reason. More than 1,000 are
 * done in the background: those who were found now, and above 10,000 whoever the filters find by then.
 * @throws Refusal `selection.changed` when the filters find others than the person was shown; as `checkDates`.
 */
export async function changeMany(
  ctx: Context,
  selection: Selection,
  work: Work,
  dryRun: boolean,
): Promise<BatchAnswer> {
  if (work.kind === 'verb') checkDates(datesOf(work), ctx.now())
  const ids = isSearching(selection) ? await expectedPeople(ctx, selection) : [...new Set(selection.ids)]
  if (ids.length <= MOST_AT_ONCE) return { ...(await doTo(ctx, ids, work, dryRun)), taskId: null }
  const none = { changed: dryRun ? ids.length : 0, unchanged: 0, refusedCount: 0, refused: [], changedIds: [] }
  if (dryRun || !isSearching(selection)) return { ...none, taskId: null }
  const input: ManyInput = ids.length <= MOST_COUNTED ? { ids: ids.toSorted(), work } : { filters: selection.all, work }
  const total = Math.max(ids.length, selection.expected)
  const taskId = await transaction(ctx, (inner) => startTask(inner, { kind: TASK_KIND, input, total }))
  return { ...none, taskId }
}

async function expectedPeople(
  ctx: Context,
  { all, expected }: { all: UserFilters; expected: number },
): Promise<string[]> {
  const ids = await transaction(ctx, (inner) => foundPeople(inner, all, { most: MOST_COUNTED + 1 }))
  const isMore = ids.length > MOST_COUNTED && expected >= MOST_COUNTED
  if (!isMore && ids.length !== expected) throw errors['selection.changed']({ params: { count: ids.length } })
  return ids
}

/** One step: at most 1,000 people, in one transaction. */
export async function doTo(ctx: Context, ids: readonly string[], work: Work, dryRun: boolean): Promise<Tally> {
  const outcomes = await outcomesOf(ctx, ids, work, dryRun)
  const refused = outcomes.filter(({ status }) => status === 'refused')
  return {
    changedIds: outcomes.flatMap(({ id, status }) => (status === 'changed' ? [id] : [])),
    changed: outcomes.filter(({ status }) => status === 'changed').length,
    unchanged: outcomes.filter(({ status }) => status === 'unchanged').length,
    refusedCount: refused.length,
    refused: refused.map(({ id, account, name, code }) => ({
      id,
      account,
      name,
      code: code ?? 'request.invalid',
      message: ctx.translate(ctx.client.language, messageOf(code)),
    })),
  }
}

async function outcomesOf(ctx: Context, ids: readonly string[], work: Work, dryRun: boolean): Promise<VerbOutcome[]> {
  if (work.kind === 'verb') return await verbTo(ctx, ids, work, dryRun)
  if (work.kind === 'role') return await changeRoleOfPeople(ctx, ids, work, dryRun)
  return await fieldsTo(ctx, ids, work, dryRun)
}

const messageOf = (code: string | null): string =>
  code?.startsWith('problem ')
    ? `person-problem.${code.slice('problem '.length)}`
    : `errors.${code ?? 'request.invalid'}`

type VerbWork = Extract<Work, { kind: 'verb' }>

const datesOf = ({ from, until }: VerbWork) => ({
  from: from ? new Date(from) : null,
  until: until ? new Date(until) : null,
})

function verbTo(ctx: Context, ids: readonly string[], work: VerbWork, dryRun: boolean) {
  const { verb, reason } = work
  const input = { verb, reason, ...datesOf(work) }
  return transaction(ctx, (inner) => (dryRun ? previewVerb(inner, ids, input) : applyVerb(inner, ids, input)))
}

async function fieldsTo(
  ctx: Context,
  ids: readonly string[],
  { fields }: Extract<Work, { kind: 'fields' }>,
  dryRun: boolean,
): Promise<VerbOutcome[]> {
  const rows = ids.map((id) => ({ ...fields, id, account: '' }))
  const outcomes = await saveUsers(ctx, rows, { mode: 'update', dryRun })
  return outcomes.map(({ id, account, status, code, problems }, at) => {
    const problem = problems[0] ? `problem ${problems[0].problem}` : null
    const told = status === 'updated' || status === 'created' ? 'changed' : status
    // Of who is out of scope not even the account is told.
    const isStrange = code === 'user.not-found'
    return { id: id ?? ids[at] ?? '', account: isStrange ? '' : account, name: '', status: told, code: code ?? problem }
  })
}

type BatchFields = Input<typeof batchUpdateUsers>['body']['fields']

export const givenFields = (fields: BatchFields): PersonFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
