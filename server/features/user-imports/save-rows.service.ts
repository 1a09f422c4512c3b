import type { ImportField, ImportOutcome } from '#shared/contract/user-imports.ts'
import type { FieldProblem } from '#shared/contract/users.ts'
import type { Context } from '../../platform/platform.ts'
import { type PersonInput, type SaveOptions, type SaveOutcome, saveUsers } from '../people-save/index.ts'
import type { ImportLookups } from './import-lookups.service.ts'
import { type RolesChange, type RolesInput, saveRoles } from './import-roles.service.ts'
import { type CellProblem, importFieldOf, type ReadRow, readRow } from './import-values.rules.ts'
import type { StagedRow } from './user-imports.store.ts'

export type ReadOptions = { mapping: (ImportField | null)[]; words: ImportLookups }

export type SavedRow = {
  read: ReadRow
  outcome: SaveOutcome | null
  roles: RolesChange | null
  problems: CellProblem[]
}

/** Reads rows of the file and saves the people in them, or with `dryRun` reports what saving would do; each row separately. */
export async function saveRows(
  ctx: Context,
  staged: readonly StagedRow[],
  { mapping, words }: ReadOptions,
  { dryRun = false, reason }: Pick<SaveOptions, 'dryRun' | 'reason'>,
): Promise<SavedRow[]> {
  const reads = staged.map(({ cells, ...row }) => {
    const file = { ...row, cells: JSON.parse(ctx.secrets.open(cells)) as string[] }
    return readRow(file, mapping, words)
  })
  markRepeatedRows(reads)
  // The dry run also checks the valid cells of bad rows, so that all problems are reported at once.
  const good = reads.flatMap(({ person, problems }) => (person && (dryRun || problems.length === 0) ? [person] : []))
  const how = { mode: 'upsert', permission: 'import', dryRun, preventEnumeration: true } as const
  const outcomes = await saveUsers(ctx, good, { ...how, ...(reason && { reason }) })
  const byPerson = new Map<PersonInput, SaveOutcome>()
  for (const [at, person] of good.entries()) {
    const outcome = outcomes[at]
    if (outcome) byPerson.set(person, outcome)
  }
  const found = reads.map((read) => ({ read, outcome: (read.person && byPerson.get(read.person)) ?? null }))
  const roles = await saveRoles(ctx, found.flatMap(toRolesInput), dryRun)
  return found.map(({ read, outcome }) => {
    const reportedColumns = new Set(read.problems.map(({ column }) => column))
    const further = toCellProblems(outcome, mapping).filter(
      ({ column }) => column === null || !reportedColumns.has(column),
    )
    return { read, outcome, roles: roles.get(outcome?.id ?? '') ?? null, problems: [...read.problems, ...further] }
  })
}

function toRolesInput({ read, outcome }: Pick<SavedRow, 'read' | 'outcome'>): RolesInput[] {
  if (!read.roleIds || !outcome?.id || outcome.status === 'refused') return []
  return [{ userId: outcome.id, roleIds: read.roleIds }]
}

/** Of rows with the same key within a batch, the first is kept; the database checks across the whole file. */
function markRepeatedRows(reads: readonly ReadRow[]): void {
  const rows = new Map<string, number>()
  for (const read of reads) {
    const word = read.keys.find((key) => rows.has(key))
    if (word !== undefined) {
      read.problems.push({ column: null, key: 'import-problem.repeated', params: { word, row: rows.get(word) ?? 0 } })
      read.person = null
    }
    for (const key of read.keys) if (!rows.has(key)) rows.set(key, read.row)
  }
}

function toCellProblems(outcome: SaveOutcome | null, mapping: readonly (ImportField | null)[]): CellProblem[] {
  if (outcome?.status !== 'refused') return []
  const ofFields = outcome.problems.map(({ field, problem, params }: FieldProblem) => {
    const column = mapping.indexOf(importFieldOf(field) ?? null)
    return { column: column < 0 ? null : column, key: `person-problem.${problem}`, ...(params && { params }) }
  })
  return outcome.code ? [...ofFields, { column: null, key: `errors.${outcome.code}` }] : ofFields
}

const OUTCOMES = { created: 'new', updated: 'changed', unchanged: 'unchanged', refused: 'bad' } as const

export function toImportOutcome({ outcome, roles, problems }: SavedRow) {
  if (problems.length > 0 || !outcome) return 'bad'
  return outcome.status === 'unchanged' && roles ? 'changed' : OUTCOMES[outcome.status]
}

const squeeze = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\s·•.]/g, '')
    .toLowerCase()

/** Fields that identify a person; an unknown value proves nothing. */
const IDENTIFYING_FIELDS = ['name', 'gender', 'birthday'] as const

/** The result of the check: a row that would turn a person into another one is doubtful, since it may contain somebody else's account. */
export function toCheckedOutcome(saved: SavedRow): ImportOutcome {
  const outcome = toImportOutcome(saved)
  const { before, after } = saved.outcome ?? {}
  const isOther = IDENTIFYING_FIELDS.some((field) => {
    const [was, willBe] = [before?.[field], after?.[field]].map((value) =>
      value && value !== 'unknown' ? squeeze(String(value)) : null,
    )
    return was && willBe && was !== willBe
  })
  return outcome === 'changed' && isOther ? 'doubtful' : outcome
}
