import type { BookSync } from '#shared/contract/address-books.ts'
import type { BookPersonFields, OpenAddressBook } from '../../connectors/index.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import type { RunningTask } from '../background-tasks/index.ts'
import { recordAudit } from '../records/index.ts'
import { booksService } from './address-books.service.ts'
import { retryLostCalls, rowRefusalCode } from './book-calls.rules.ts'
import { deleteLink, findSent, saveLink, settleLinks } from './book-links.store.ts'
import { bookProblem, desiredValues, organizationsBelow } from './book-plan.rules.ts'
import type { BookValues } from './book-plan.types.ts'
import { type BookRow, countRows, listUnapplied, markAttempted, markRow, type RowMark } from './book-rows.store.ts'
import { type BookRunRow, countTried, updateRun } from './book-runs.store.ts'
import { departmentIdsOf, loadPeople, openBook, seal, unseal } from './book-world.service.ts'

export type BookStep = { run: BookRunRow; sync: BookSync }
export type BookPlan = {
  before: BookValues | null
  after: BookValues | null
  /** Paths of the departments there that it was in before, by vendor id. */
  paths?: Readonly<Record<number, string | null>>
}

const BATCH = 100

/**
 * Writes the plan row by row in its order; rows that no longer match the plan, on either side, are skipped. Returns before the end when it
 * is cancelled or no longer on.
 */
export async function applyBook(ctx: Context, task: RunningTask, { run, sync }: BookStep): Promise<void> {
  const book = await openBook(ctx, sync, task)
  for (;;) {
    const rows = await listUnapplied(ctx.db, run.id, BATCH)
    if (rows.length === 0) return await finishRun(ctx, task, run)
    const { mode }: BookSync = await booksService.get(ctx, sync.id)
    if (mode !== 'on') return
    const local = await loadLocalState(ctx, sync, rows)
    for (const row of rows) {
      if (task.cancelled()) return
      await writeRow(ctx, task, { run, book, local }, row)
    }
  }
}

/** One row: the vendor call, then its result and link. */
async function writeRow(ctx: Context, task: RunningTask, applying: Applying, row: BookRow): Promise<void> {
  const { run, local } = applying
  const plan = unseal<BookPlan>(ctx, row.plan ?? '')
  const mark = await tryRow(ctx, applying, row, plan)
  const { externalId } = mark
  const isIn = mark.isApplied && externalId !== null
  await transaction(ctx, async (inner) => {
    await markRow(inner.db, run.id, row.row, mark)
    await countTried(inner.db, run.id)
    if (isIn) await updateLink(inner, run.syncId, { ...row, externalId }, plan)
    await task.advance(1, inner.db)
  })
  if (isIn && row.kind === 'department') local.idOf.set(row.localId, Number(externalId))
}

/** The current local state of some rows, and the vendor ids of our departments. */
async function loadLocalState(ctx: Context, sync: BookSync, rows: readonly BookRow[]) {
  const ids = rows.flatMap(({ kind, localId }) => (kind === 'person' ? [localId] : []))
  const { organizations, people } = await loadPeople(ctx, sync, ids)
  const roots = sync.roots.map(({ organizationId }) => organizationId)
  return {
    idOf: await departmentIdsOf(ctx, sync, organizations),
    fields: sync.fields,
    departments: new Map(organizationsBelow(organizations, roots).map((one) => [one.id, one])),
    people: new Map(people.map((one) => [one.id, one])),
  }
}

type LocalState = Awaited<ReturnType<typeof loadLocalState>>
type Applying = { run: BookRunRow; book: OpenAddressBook; local: LocalState }

const applied = (externalId: string, row: BookRow): RowMark => ({
  outcome: row.outcome,
  isApplied: true,
  externalId,
  problem: null,
})
const skipped = (row: BookRow, key: string, params?: Record<string, string>): RowMark => ({
  outcome: 'changed-since',
  isApplied: false,
  externalId: row.externalId,
  problem: bookProblem(key, params),
})

const tryRow = (ctx: Context, applying: Applying, row: BookRow, plan: BookPlan): Promise<RowMark> =>
  retryLostCalls(
    (tries) => applyRow(ctx, applying, { ...row, isAttempted: row.isAttempted || tries > 1 }, plan),
    (error) => {
      const code = rowRefusalCode(error)
      return code === null ? null : { ...skipped(row, 'refused', { code }), outcome: 'bad' }
    },
  )

async function applyRow(ctx: Context, applying: Applying, row: BookRow, { before, after }: BookPlan): Promise<RowMark> {
  if (!after) return skipped(row, 'changed-here')
  if (row.outcome === 'leaver') return await applyLeaver(applying, row, after)
  if (!isLocallyUnchanged(applying.local, row, after)) return skipped(row, 'changed-here')
  const attempt = () => markAttempted(ctx.db, applying.run.id, row.row)
  if (row.kind === 'department') return await applyDepartment(applying, row, { before, after }, attempt)
  return await applyPerson(applying, row, { before, after }, attempt)
}

/** Do the local values still match the plan? */
function isLocallyUnchanged(local: LocalState, row: BookRow, after: BookValues): boolean {
  const { kind, localId, externalId, outcome } = row
  const now = kind === 'department' ? localDepartment(local, localId) : localPerson(local, localId)
  if (!now || (kind === 'person' && outcome === 'new' && local.people.get(localId)?.userid !== externalId)) return false
  return (['name', 'mobile', 'email', 'organizationId'] as const).every(
    (field) => after[field] === undefined || after[field] === now[field],
  )
}

function localDepartment({ departments }: LocalState, id: string): BookValues | null {
  const one = departments.get(id)
  return one ? { name: one.name, organizationId: one.parentId ?? '' } : null
}

function localPerson({ people, fields }: LocalState, id: string): BookValues | null {
  const one = people.get(id)
  return one && !one.problem ? { ...desiredValues(one, fields), organizationId: one.organizationId } : null
}

type Planned = { before: BookValues | null; after: BookValues }
type Attempt = () => PromiseLike<unknown>

async function applyDepartment(applying: Applying, row: BookRow, { before, after }: Planned, attempt: Attempt) {
  const { book, local } = applying
  const parentId = after.organizationId === undefined ? undefined : local.idOf.get(after.organizationId)
  if (after.organizationId !== undefined && parentId === undefined) return skipped(row, 'no-parent')
  if (row.externalId === null)
    return await addDepartment(book, row, { name: after.name ?? '', parentId: parentId ?? 0 }, attempt)
  const id = Number(row.externalId)
  const now = await book.department(id)
  if (!now) return skipped(row, 'gone-there')
  const desired = { ...(after.name !== undefined && { name: after.name }), ...(parentId !== undefined && { parentId }) }
  if (matchesDepartment(now, desired)) return applied(row.externalId, row)
  if (!matchesDepartment(now, departmentBefore(before))) return skipped(row, 'changed-there')
  await book.updateDepartment(id, desired)
  return applied(row.externalId, row)
}

async function addDepartment(
  book: OpenAddressBook,
  row: BookRow,
  { name, parentId }: { name: string; parentId: number },
  attempt: Attempt,
): Promise<RowMark> {
  const same = (await book.departments(parentId)).find((one) => one.parentId === parentId && one.name === name)
  if (same) return row.isAttempted ? applied(String(same.id), row) : skipped(row, 'changed-there')
  await attempt()
  return applied(String(await book.createDepartment({ name, parentId })), row)
}

type DepartmentFields = { name?: string; parentId?: number }

/** Does the department in the address book have these values? */
export const matchesDepartment = (now: Required<DepartmentFields>, { name, parentId }: DepartmentFields): boolean =>
  (name ?? now.name) === now.name && (parentId ?? now.parentId) === now.parentId

/** The department's values when the change was planned. */
export function departmentBefore(before: BookValues | null): DepartmentFields {
  const { name, departments: [parentId] = [] } = before ?? {}
  return { ...(name !== undefined && { name }), ...(parentId !== undefined && { parentId }) }
}

/** The values to send; null if their department doesn't exist there. */
function fieldsOf(
  { name, mobile, email, organizationId, kept = [], isDisabled }: BookValues,
  idOf: LocalState['idOf'],
): BookPersonFields | null {
  const department = organizationId === undefined ? null : (idOf.get(organizationId) ?? 0)
  if (department === 0) return null
  return {
    ...(name !== undefined && { name }),
    ...(mobile !== undefined && { mobile }),
    ...(email !== undefined && { email }),
    ...(isDisabled !== undefined && { isDisabled }),
    ...(department !== null && { departments: [department, ...kept] }),
  }
}

async function applyPerson({ book, local }: Applying, row: BookRow, { before, after }: Planned, attempt: Attempt) {
  const fields = fieldsOf(after, local.idOf)
  if (!fields) return skipped(row, 'no-department')
  const id = row.externalId ?? ''
  if (row.outcome === 'new') return await addPerson(book, row, { id, fields }, attempt)
  const now = await book.person(id)
  if (!now) return skipped(row, 'gone-there')
  if (matchesPerson(now, fields)) return applied(id, row)
  if (!matchesPerson(now, before ?? {})) return skipped(row, 'changed-there')
  await book.updatePerson(id, fields)
  return applied(id, row)
}

type Added = { id: string; fields: BookPersonFields }

async function addPerson(
  book: OpenAddressBook,
  row: BookRow,
  { id, fields }: Added,
  attempt: Attempt,
): Promise<RowMark> {
  const one = await book.person(id)
  if (one) return row.isAttempted && matchesPerson(one, fields) ? applied(one.id, row) : skipped(row, 'changed-there')
  await attempt()
  await book.createPerson(id, fields)
  return applied(id, row)
}

export type RemotePerson = NonNullable<Awaited<ReturnType<OpenAddressBook['person']>>>

/** Does the person in the address book have these values? Values that the vendor doesn't reveal count as equal. */
export function matchesPerson(now: RemotePerson, fields: BookPersonFields): boolean {
  if (now.unknownState !== undefined) return false
  const texts = (['name', 'mobile', 'email'] as const).every(
    (field) => fields[field] === undefined || now[field] === null || now[field] === fields[field],
  )
  const isIn = fields.departments === undefined || sameSet(now.departments, fields.departments)
  return texts && isIn && (fields.isDisabled === undefined || now.isDisabled === fields.isDisabled)
}

const sameSet = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((id) => other.includes(id))

async function applyLeaver({ book, local }: Applying, row: BookRow, after: BookValues): Promise<RowMark> {
  const id = row.externalId ?? ''
  if (local.people.has(row.localId)) return skipped(row, 'changed-here')
  const now = await book.person(id)
  if (after.isDeleted) {
    if (now) await book.deletePerson(id)
    return applied(id, row)
  }
  if (!now) return skipped(row, 'gone-there')
  if (now.unknownState !== undefined) return skipped(row, 'changed-there')
  if (!now.isDisabled) await book.updatePerson(id, { isDisabled: true })
  return applied(id, row)
}

async function updateLink(ctx: Context, syncId: string, row: BookRow & { externalId: string }, { after }: BookPlan) {
  const { kind, localId, externalId } = row
  if (after?.isDeleted) return void (await deleteLink(ctx.db, syncId, kind, localId))
  const sent = kind === 'person' ? await mergeSent(ctx, syncId, localId, after) : null
  await saveLink(ctx.db, syncId, { kind, localId, externalId, sent, isDisabled: after?.isDisabled === true })
}

/** The values sent last for a person, merged with those sent now. */
export async function mergeSent(ctx: Context, syncId: string, id: string, now: BookValues | null): Promise<string> {
  const former = await findSent(ctx.db, syncId, id)
  const { name, mobile, email } = now ?? {}
  const given = Object.entries({ name, mobile, email }).filter(([, value]) => value !== undefined)
  return seal(ctx, { ...(former && unseal<BookValues>(ctx, former)), ...Object.fromEntries(given) })
}

async function finishRun(ctx: Context, task: RunningTask, run: BookRunRow): Promise<void> {
  await transaction(ctx, async (inner) => {
    const counts = await countRows(inner.db, run.id)
    const finishedAt = inner.now()
    if (!(await updateRun(inner.db, run.id, ['applying'], { state: 'done', counts, finishedAt }))) return
    await settleLinks(inner.db, { runId: run.id, syncId: run.syncId, at: finishedAt })
    await recordFinish(inner, run, 'done', counts)
    await task.advance(0, inner.db)
  })
}

/** The audit record of a run's end. */
export const recordFinish = (ctx: Context, { id, syncId }: BookRunRow, state: string, more: object) =>
  recordAudit(ctx, {
    action: 'book-sync.finish',
    targetKind: 'book-sync',
    targetId: syncId,
    after: { run: id, state, ...more },
  })
