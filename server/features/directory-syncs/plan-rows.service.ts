import { isDeepStrictEqual } from 'node:util'
import type { SyncOutcome } from '#shared/contract/sync-runs.ts'
import type { Context } from '../../platform/platform.ts'
import { mapInSlices } from '../../platform/slices.ts'
import { listFieldOwners, personField } from '../field-authority/index.ts'
import { type PersonInput, type SaveOutcome, saveUsers } from '../people-save/index.ts'
import type { ReadRow } from '../user-imports/index.ts'
import { isFirstByRank } from './directory-syncs.store.ts'
import { type Judged, judgeLinked, judgeUnlinked, withFrozen } from './judge-rows.rules.ts'
import { leaverChange } from './leavers.rules.ts'
import { listCandidates, listElsewhere, listLinks, listProtected, listStates } from './links.store.ts'
import { keepField } from './match-comparison.service.ts'
import { listDecisions, type NewMatch } from './matches.store.ts'
import { fingerprintOf, type PlanOptions, readPerson } from './plan-options.service.ts'
import type { PlannedRow, Problem, StoredRow } from './rows.store.ts'
import { mapValue } from './transforms.rules.ts'

export type Plan = PlannedRow & {
  person: PersonInput | null
  /** Who they are here, or will be once they are written. */
  personId: string | null
  externalId: string
  match: NewMatch | null
  /** What the source says of them, if all of it is or will be theirs. */
  fingerprint: string | null
  /** Their fields before the plan was made. */
  personHash: string | null
}

type UnhashedPlan = Omit<Plan, 'match' | 'fingerprint'>

/** Writes people in the caller's transaction. `accepts` says of each plan whether. */
export type Writing = {
  accepts: (plans: readonly UnhashedPlan[]) => Promise<readonly boolean[]>
  reason: string
}

/** Matches rows to people and plans their changes; without `writing` nothing is written. */
export async function planRows(
  ctx: Context,
  rows: readonly StoredRow[],
  options: PlanOptions,
  writing?: Writing,
): Promise<Plan[]> {
  const leavers = rows.filter(({ cells }) => cells === null)
  const present = rows.filter(({ cells }) => cells !== null)
  const judged = [...(await judgeRows(ctx, present, options)), ...(await judgeLeavers(ctx, leavers, options))]
  await protectPeople(ctx, judged)
  await yieldFields(ctx, judged, options)
  const good = judged.filter(({ outcome, person }) => outcome === null && person !== null)
  const outcomes = await saveUsers(
    ctx,
    good.flatMap(({ person }) => person ?? []),
    {
      ...{ mode: 'upsert', isSource: true, leavesOwned: true, dryRun: writing === undefined },
      ...(writing && {
        reason: writing.reason,
        writesOnly: (saved) => writing.accepts(good.map((one, at) => toPlan(one, saved[at]))),
      }),
    },
  )
  const byRow = new Map(good.map((one, at) => [one, outcomes[at]]))
  return await mapInSlices(judged, (one) => {
    const plan = toPlan(one, byRow.get(one))
    // Only what is remembered is hashed: a plan remembers who agrees already, a write everybody.
    const isRemembered = one.readRow && (writing !== undefined || plan.outcome === 'unchanged')
    const fingerprint = isRemembered && one.readRow ? fingerprintOf(ctx, one.readRow) : null
    return { ...plan, fingerprint, match: toMatch(ctx, one, options) }
  })
}

/** Plans what people lose who have been missing long enough, unless another sync has got them since the source was read. */
async function judgeLeavers(ctx: Context, rows: readonly StoredRow[], options: PlanOptions): Promise<Judged[]> {
  if (rows.length === 0) return []
  const ids = rows.flatMap(({ userId }) => userId ?? [])
  const states = await listStates(ctx.db, options.syncId, ids, ctx.now())
  for (const id of await listElsewhere(ctx.db, options.syncId, ids)) states.delete(id)
  return rows.map((row): Judged => {
    const { userId } = row
    const state = userId === null ? undefined : states.get(userId)
    const taken = state ? leaverChange(options.leavers, state, options.startedAt) : null
    if (userId === null || !taken) return { row, person: null, outcome: 'missing', userId, problems: [] }
    return { row, userId, outcome: null, problems: [], taken, ...withFrozen({ id: userId, account: '' }, taken.after) }
  })
}

async function judgeRows(ctx: Context, rows: readonly StoredRow[], options: PlanOptions): Promise<Judged[]> {
  const reads = await mapInSlices(rows, (row) => ({ row, read: readPerson(ctx, row, options) }))
  // First of all: whoever changes a person from here on changes their hash too.
  const links = await listLinks(
    ctx.db,
    options.syncId,
    rows.map(({ externalId }) => externalId),
    ctx.now(),
  )
  const byExternal = new Map(links.map((link) => [link.externalId, link]))
  const decided = await listDecisions(
    ctx.db,
    options.syncId,
    rows.map(({ externalId }) => externalId),
  )
  const decisions = new Map(decided.map((one) => [one.externalId, one]))
  // A link to a deleted person doesn't count: it may be somebody else now.
  const unknown = reads.filter(({ row }) => byExternal.get(row.externalId)?.isDeleted ?? true)
  const candidates = await findCandidates(
    ctx,
    unknown.map(({ read }) => read),
    options,
  )
  return reads.map(({ row, read }) => {
    const { person } = read
    const problems = read.problems.map((one) => toProblem(one, options.fields))
    if (!person || problems.length > 0) return { row, person: null, outcome: 'bad', userId: null, problems }
    const link = byExternal.get(row.externalId)
    const decision = decisions.get(row.externalId)
    if (decision?.decision === 'ignore')
      return { row, person: null, outcome: 'ignored', userId: link?.userId ?? null, problems: [] }
    const judged = link
      ? judgeLinked(row, person, { link, decision, candidates })
      : judgeUnlinked(row, person, { candidates, matchBy: options.matchBy, decision })
    return { ...judged, readRow: read, personHash: link?.personHash ?? null }
  })
}

async function findCandidates(ctx: Context, reads: readonly ReadRow[], { syncId }: PlanOptions) {
  const people = reads.flatMap(({ person }) => person ?? [])
  if (people.length === 0) return []
  const names = people.flatMap(({ account, mailbox, phone }) => [account, mailbox, phone])
  return await listCandidates(
    ctx.db,
    syncId,
    names.filter((name) => typeof name === 'string'),
  )
}

/** Excludes super users and administrators, whatever a source says about them. */
async function protectPeople(ctx: Context, judged: Judged[]): Promise<void> {
  const protectedIds = await listProtected(
    ctx.db,
    judged.flatMap(({ userId }) => userId ?? []),
  )
  for (const one of judged) {
    if (one.userId === null || !protectedIds.has(one.userId)) continue
    one.outcome = 'protected'
    one.person = null
  }
}

/** Drops fields that a sync with precedence fills, as long as its source has the person. */
async function yieldFields(ctx: Context, judged: readonly Judged[], { self }: PlanOptions): Promise<void> {
  const present = judged.filter(({ row, person }) => row.cells !== null && person !== null)
  const ids = present.flatMap(({ userId }) => userId ?? [])
  // Asked in each batch, because ranks may change meanwhile.
  if (ids.length === 0 || (await isFirstByRank(ctx.db, self))) return
  const owners = await listFieldOwners(ctx.db, ids, self)
  for (const one of present) {
    const owned = owners.get(one.userId ?? '')?.map(({ field }) => field)
    if (!one.person || !owned) continue
    one.person = without(one.person, owned)
    // Once the other sync has lost them, the same row changes these fields.
    one.readRow = null
  }
}

const without = (person: PersonInput, fields: readonly string[]): PersonInput => ({
  ...(Object.fromEntries(Object.entries(person).filter(([field]) => !fields.includes(field))) as PersonInput),
})

/** What the page shows of a conflict. */
function toMatch(ctx: Context, { row, match, readRow }: Judged, { mapping, columns }: PlanOptions): NewMatch | null {
  if (!match) return null
  const raw = JSON.parse(ctx.secrets.open(row.cells ?? '')) as string[]
  const fields = mapping.map((entry) => {
    const { value } = mapValue(entry, (column) => raw[columns.indexOf(column)] ?? '')
    return keepField(ctx, entry.field, value, readRow?.person ?? null)
  })
  return { ...match, externalId: row.externalId, fields: ctx.secrets.seal(JSON.stringify(fields)) }
}

function toPlan(judged: Judged, saved: SaveOutcome | undefined): UnhashedPlan {
  const { row, person, outcome, userId, problems, taken = null, personHash = null } = judged
  const personId = saved?.id ?? null
  const one = { row: row.row, externalId: row.externalId, person, personId, userId, personHash }
  const base = { ...one, before: null, after: null, taken }
  if (!saved) return { ...base, outcome: outcome ?? 'bad', problems: problems.length > 0 ? problems : null }
  const result = { ...base, outcome: outcomeOf(judged, saved) }
  if (saved.status === 'refused') return { ...result, problems: toProblems(saved) }
  return { ...result, ...changesOf(judged, saved), problems: null }
}

function outcomeOf({ row, frozen }: Judged, { status }: SaveOutcome): SyncOutcome {
  const isChanged = status === 'updated' || frozen !== undefined
  // Missing people who lose nothing are just missing, whatever the reason.
  if (row.cells === null) return isChanged && status !== 'refused' ? 'leaver' : 'missing'
  if (status === 'refused') return 'bad'
  if (status === 'created') return 'new'
  return isChanged ? 'changed' : 'unchanged'
}

function changesOf({ frozen }: Judged, { status, before, after }: SaveOutcome): Pick<Plan, 'before' | 'after'> {
  if (status === 'created') return { before, after: withoutEmpty(after) }
  if (frozen === undefined) return { before, after }
  return { before: { ...before, frozen: !frozen }, after: { ...after, frozen } }
}

/** The column of what was read is the place of its field in the mapping. */
function toProblem({ column, key, params }: ReadRow['problems'][number], fields: PlanOptions['fields']): Problem {
  const field = column === null ? undefined : fields[column]
  return { key, params: { ...params, ...(field ? { field: personField(field) ?? field } : {}) } }
}

const toProblems = ({ problems, code }: SaveOutcome): Problem[] => [
  ...problems.map((one) => ({
    key: `person-problem.${one.problem}`,
    params: { ...one.params, field: String(one.field) },
  })),
  ...(code ? [{ key: `errors.${code}` }] : []),
]

/** Of somebody new, most fields are empty. */
const withoutEmpty = (values: object | null): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== null))

/** Does the plan of a row still match the reviewed one? */
export function isSamePlan(ctx: Context, planned: StoredRow, now: UnhashedPlan): boolean {
  return (
    planned.outcome === now.outcome &&
    planned.userId === now.userId &&
    isDeepStrictEqual(comparable(ctx, planned.before), comparable(ctx, now.before)) &&
    isDeepStrictEqual(comparable(ctx, planned.after), comparable(ctx, now.after))
  )
}

/** Decrypts ID numbers, whose ciphertext differs each time. Older plans list the empty fields of new people too. */
function comparable({ secrets }: Context, values: object | null): unknown {
  if (values === null) return null
  const given = withoutEmpty(values)
  return typeof given['idNumber'] === 'string' ? { ...given, idNumber: secrets.open(given['idNumber']) } : given
}
