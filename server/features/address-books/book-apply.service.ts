import type { BookSync } from '#shared/contract/address-books.ts'
import {
  type BookPersonFields,
  ConnectorFault,
  type ConnectorFaultReason,
  type OpenAddressBook,
} from '../../connectors/index.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import type { RunningTask } from '../background-tasks/index.ts'
import { recordAudit } from '../records/index.ts'
import { deleteLink, findSent, saveLink, settleLinks } from './book-links.store.ts'
import { bookProblem, organizationsBelow, wantedOf } from './book-plan.rules.ts'
import type { BookValues } from './book-plan.types.ts'
import { type BookRow, countRows, listUnapplied, markAttempted, markRow, type RowMark } from './book-rows.store.ts'
import { type BookRunRow, updateRun } from './book-runs.store.ts'
import { loadPeople, openBook, placesOf, seal, unseal } from './book-world.service.ts'

const isLost = (error: unknown) => error instanceof ConnectorFault && error.reason === 'unavailable'

export type BookStep = { run: BookRunRow; sync: BookSync }
export type BookPlan = { before: BookValues | null; after: BookValues | null }

const BATCH = 100

/** Writes the plan, a row at a time in its order; what is not as it was planned any more, here or there, is left alone. */
export async function applyBook(ctx: Context, task: RunningTask, { run, sync }: BookStep): Promise<void> {
  const book = await openBook(ctx, sync, task)
  for (;;) {
    const rows = await listUnapplied(ctx.db, run.id, BATCH)
    if (rows.length === 0) return await finishRun(ctx, task, run)
    const here = await lookHere(ctx, sync, rows)
    for (const row of rows) {
      if (task.cancelled()) return
      await writeRow(ctx, task, { run, book, here }, row)
    }
  }
}

/** One row: the call, then the note of it with its link. */
async function writeRow(ctx: Context, task: RunningTask, applying: Applying, row: BookRow): Promise<void> {
  const { run, here } = applying
  const plan = unseal<BookPlan>(ctx, row.plan ?? '')
  const mark = await tryRow(ctx, applying, row, plan)
  const { externalId } = mark
  const isIn = mark.isApplied && externalId !== null
  await transaction(ctx, async (inner) => {
    await markRow(inner.db, run.id, row.row, mark)
    if (isIn) await keepLink(inner, run.syncId, { ...row, externalId }, plan)
    await task.advance(1, inner.db)
  })
  if (isIn && row.kind === 'department') here.idOf.set(row.localId, Number(externalId))
}

/** How those of some rows stand here now, and what our departments are there. */
async function lookHere(ctx: Context, sync: BookSync, rows: readonly BookRow[]) {
  const ids = rows.flatMap(({ kind, localId }) => (kind === 'person' ? [localId] : []))
  const { organizations, people } = await loadPeople(ctx, sync, ids)
  const roots = sync.roots.map(({ organizationId }) => organizationId)
  return {
    idOf: await placesOf(ctx, sync, organizations),
    fields: sync.fields,
    departments: new Map(organizationsBelow(organizations, roots).map((one) => [one.id, one])),
    people: new Map(people.map((one) => [one.id, one])),
  }
}

type Here = Awaited<ReturnType<typeof lookHere>>
type Applying = { run: BookRunRow; book: OpenAddressBook; here: Here }

const done = (externalId: string, row: BookRow): RowMark => ({
  outcome: row.outcome,
  isApplied: true,
  externalId,
  problem: null,
})
const held = (row: BookRow, key: string, params?: Record<string, string>): RowMark => ({
  outcome: 'changed-since',
  isApplied: false,
  externalId: row.externalId,
  problem: bookProblem(key, params),
})

const ROW_TRIES = 3
/** Of a row rather than of the application: the others go on. */
const ROW_CODES = ['40035']
const ROW_REASONS: readonly ConnectorFaultReason[] = ['refused', 'not-member', 'not-visible']

/**
 * Tries again what was lost on its way: it may have arrived, so that the work looks at what is there anew.
 * @param answer what a refusal is of a row; null: it is no row's.
 * @throws ConnectorFault where nothing more can be written.
 */
export async function untilSure<T>(
  work: (tries: number) => Promise<T>,
  answer: (error: unknown) => T | null,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries)
    } catch (error) {
      const told = answer(error)
      if (told !== null) return told
      if (tries === ROW_TRIES || !isLost(error)) throw error
    }
  }
}

const tryRow = (ctx: Context, applying: Applying, row: BookRow, plan: BookPlan): Promise<RowMark> =>
  untilSure(
    (tries) => applyRow(ctx, applying, { ...row, isAttempted: row.isAttempted || tries > 1 }, plan),
    (error) => {
      const code = refusedWith(error)
      return code === null ? null : { ...held(row, 'refused', { code }), outcome: 'bad' }
    },
  )

/** The code with which the vendor refuses this row rather than us. */
export function refusedWith(error: unknown): string | null {
  if (!(error instanceof ConnectorFault) || error.vendorCode === null) return null
  const isOfRow = ROW_REASONS.includes(error.reason) || ROW_CODES.includes(error.vendorCode)
  return isOfRow ? error.vendorCode : null
}

async function applyRow(ctx: Context, applying: Applying, row: BookRow, { before, after }: BookPlan): Promise<RowMark> {
  if (!after) return held(row, 'changed-here')
  if (row.outcome === 'leaver') return await applyLeaver(applying, row, after)
  if (!isStillHere(applying.here, row, after)) return held(row, 'changed-here')
  const attempt = () => markAttempted(ctx.db, applying.run.id, row.row)
  if (row.kind === 'department') return await applyDepartment(applying, row, { before, after }, attempt)
  return await applyPerson(applying, row, { before, after }, attempt)
}

/** Is what is to be written still what stands here? */
function isStillHere(here: Here, { kind, localId, externalId, outcome }: BookRow, after: BookValues): boolean {
  const now = kind === 'department' ? departmentHere(here, localId) : personHere(here, localId)
  if (!now) return false
  if (kind === 'person' && outcome === 'new' && here.people.get(localId)?.userid !== externalId) return false
  return (['name', 'mobile', 'email', 'place'] as const).every(
    (field) => after[field] === undefined || after[field] === now[field],
  )
}

function departmentHere({ departments }: Here, id: string): BookValues | null {
  const one = departments.get(id)
  return one ? { name: one.name, place: one.parentId ?? '' } : null
}

function personHere({ people, fields }: Here, id: string): BookValues | null {
  const one = people.get(id)
  return one && !one.problem ? { ...wantedOf(one, fields), place: one.organizationId } : null
}

type Planned = { before: BookValues | null; after: BookValues }
type Attempt = () => PromiseLike<unknown>

async function applyDepartment(applying: Applying, row: BookRow, { before, after }: Planned, attempt: Attempt) {
  const { book, here } = applying
  const parentId = after.place === undefined ? undefined : here.idOf.get(after.place)
  if (after.place !== undefined && parentId === undefined) return held(row, 'no-parent')
  if (row.externalId === null)
    return await addDepartment(book, row, { name: after.name ?? '', parentId: parentId ?? 0 }, attempt)
  const id = Number(row.externalId)
  const now = await book.department(id)
  if (!now) return held(row, 'gone-there')
  const wanted = { ...(after.name !== undefined && { name: after.name }), ...(parentId !== undefined && { parentId }) }
  if (isDepartment(now, wanted)) return done(row.externalId, row)
  if (!isDepartment(now, departmentBefore(before))) return held(row, 'changed-there')
  await book.updateDepartment(id, wanted)
  return done(row.externalId, row)
}

async function addDepartment(
  book: OpenAddressBook,
  row: BookRow,
  { name, parentId }: { name: string; parentId: number },
  attempt: Attempt,
): Promise<RowMark> {
  const same = (await book.departments(parentId)).find((one) => one.parentId === parentId && one.name === name)
  if (same) return row.isAttempted ? done(String(same.id), row) : held(row, 'changed-there')
  await attempt()
  return done(String(await book.createDepartment({ name, parentId })), row)
}

type DepartmentFields = { name?: string; parentId?: number }

/** Does a department stand there as these say? */
export const isDepartment = (now: { name: string; parentId: number }, { name, parentId }: DepartmentFields): boolean =>
  (name ?? now.name) === now.name && (parentId ?? now.parentId) === now.parentId

/** How a planned change found it. */
export function departmentBefore(before: BookValues | null): DepartmentFields {
  const { name, departments: [parentId] = [] } = before ?? {}
  return { ...(name !== undefined && { name }), ...(parentId !== undefined && { parentId }) }
}

/** What is sent of a plan; null: the department it names is not there. */
function fieldsOf(
  { name, mobile, email, place, kept = [], isDisabled }: BookValues,
  idOf: Here['idOf'],
): BookPersonFields | null {
  const department = place === undefined ? null : (idOf.get(place) ?? 0)
  if (department === 0) return null
  return {
    ...(name !== undefined && { name }),
    ...(mobile !== undefined && { mobile }),
    ...(email !== undefined && { email }),
    ...(isDisabled !== undefined && { isDisabled }),
    ...(department !== null && { departments: [department, ...kept] }),
  }
}

async function applyPerson({ book, here }: Applying, row: BookRow, { before, after }: Planned, attempt: Attempt) {
  const fields = fieldsOf(after, here.idOf)
  if (!fields) return held(row, 'no-department')
  const id = row.externalId ?? ''
  if (row.outcome === 'new') return await addPerson(book, row, { id, fields }, attempt)
  const now = await book.person(id)
  if (!now) return held(row, 'gone-there')
  if (isAs(now, fields)) return done(id, row)
  if (!isAs(now, before ?? {})) return held(row, 'changed-there')
  await book.updatePerson(id, fields)
  return done(id, row)
}

type Added = { id: string; fields: BookPersonFields }

async function addPerson(
  book: OpenAddressBook,
  row: BookRow,
  { id, fields }: Added,
  attempt: Attempt,
): Promise<RowMark> {
  const there = await book.person(id)
  if (there) return row.isAttempted && isAs(there, fields) ? done(there.id, row) : held(row, 'changed-there')
  await attempt()
  await book.createPerson(id, fields)
  return done(id, row)
}

type There = NonNullable<Awaited<ReturnType<OpenAddressBook['person']>>>

/** Does somebody stand there as these say? What the vendor doesn't tell is believed. */
export function isAs(now: There, fields: BookPersonFields): boolean {
  const texts = (['name', 'mobile', 'email'] as const).every(
    (field) => fields[field] === undefined || now[field] === null || now[field] === fields[field],
  )
  const isIn = fields.departments === undefined || sameSet(now.departments, fields.departments)
  return texts && isIn && (fields.isDisabled === undefined || now.isDisabled === fields.isDisabled)
}

const sameSet = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((id) => other.includes(id))

async function applyLeaver({ book, here }: Applying, row: BookRow, after: BookValues): Promise<RowMark> {
  const id = row.externalId ?? ''
  if (here.people.has(row.localId)) return held(row, 'changed-here')
  const now = await book.person(id)
  if (after.isDeleted) {
    if (now) await book.deletePerson(id)
    return done(id, row)
  }
  if (!now) return held(row, 'gone-there')
  if (!now.isDisabled) await book.updatePerson(id, { isDisabled: true })
  return done(id, row)
}

async function keepLink(ctx: Context, syncId: string, row: BookRow & { externalId: string }, { after }: BookPlan) {
  const { kind, localId, externalId } = row
  if (after?.isDeleted) return void (await deleteLink(ctx.db, syncId, kind, localId))
  const sent = kind === 'person' ? await mergeSent(ctx, syncId, localId, after) : null
  await saveLink(ctx.db, syncId, { kind, localId, externalId, sent, isDisabled: after?.isDisabled === true })
}

/** What was sent last of somebody, with what has been sent now. */
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

/** The line of a run's end. */
export const recordFinish = (ctx: Context, { id, syncId }: BookRunRow, state: string, more: object) =>
  recordAudit(ctx, {
    action: 'book-sync.finish',
    targetKind: 'book-sync',
    targetId: syncId,
    after: { run: id, state, ...more },
  })
