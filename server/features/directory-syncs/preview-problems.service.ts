import { NIL } from 'uuid'
import { DEPARTMENT_FIELDS } from '#shared/contract/sync-departments.ts'
import type { previewSyncMapping } from '#shared/contract/sync-mappings.ts'
import { ImportField } from '#shared/contract/user-imports.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { organizationField, personField } from '../field-authority/index.ts'
import { indexWorld, listLeft, valueProblem } from './department-plan.rules.ts'
import { loadWorld } from './department-world.service.ts'
import { syncsService } from './directory-syncs.service.ts'
import { loadPlanOptions } from './plan-options.service.ts'
import { planRows } from './plan-rows.service.ts'
import type { Problem } from './rows.store.ts'
import { columnsOf, type MappedValue } from './transforms.rules.ts'

type Previewed = Input<typeof previewSyncMapping>['body']

/** A row as it was read: its cells are those of `columnsOf` the mapping. */
type RawRow = {
  key: string
  cells: readonly string[]
  /** What the mapping makes of them, one for each of its entries. */
  mapped: readonly MappedValue[]
}

type FoundProblems = {
  /** One for each entry of the mapping; null: nothing is wrong with it. */
  values: (Problem | null)[]
  /** Of the row as a whole, and of fields that the mapping doesn't fill. */
  row: Problem[]
}

/** What a run would refuse of these rows, or leave to a decision. */
export async function findProblems(
  ctx: Context,
  previewed: Previewed,
  rows: readonly RawRow[],
): Promise<FoundProblems[]> {
  const find = previewed.of === 'people' ? findProblemsOfPeople : findProblemsOfDepartments
  const found = await find(ctx, previewed, rows)
  return found.map(({ values, row }, at) => ({ values, row: [...keyProblem(rows, at), ...row] }))
}

function keyProblem(rows: readonly RawRow[], at: number): Problem[] {
  const key = rows[at]?.key
  if (key === '') return [{ key: 'directory-sync-problem.no-key' }]
  const isRepeated = rows.some((row, other) => other !== at && row.key === key)
  return isRepeated ? [{ key: 'directory-sync-problem.repeated-key' }] : []
}

const DEPARTMENTS: readonly string[] = ['organization', 'secondaryOrganizations']

/** Of a sync that isn't saved yet. */
const UNSAVED = {
  ...{ id: NIL, rank: 100 },
  leavers: { action: 'none', organizationId: null, graceDays: 30, runs: 2, days: 3 },
} as const

/** By the plan that a run would make of them. */
async function findProblemsOfPeople(ctx: Context, previewed: Previewed, rows: readonly RawRow[]) {
  const { syncId, sourceId, matchBy, withDepartments } = previewed
  const columns = columnsOf(previewed.mapping)
  // Departments of the same source come first: nobody knows yet which there will be.
  const mapping = previewed.mapping.flatMap((entry) => {
    const { data: field } = ImportField.safeParse(entry.field)
    const isKnown = field !== undefined && field !== 'roles' && !(withDepartments && DEPARTMENTS.includes(field))
    return isKnown ? [{ ...entry, field }] : []
  })
  const sync = syncId === undefined ? UNSAVED : await syncsService.get(ctx, syncId)
  const options = await loadPlanOptions(ctx, { ...sync, sourceId, mapping, matchBy }, { startedAt: ctx.now() })
  const stored = rows.map(({ key, cells }, row) => ({
    ...{ row, externalId: key, cells: ctx.secrets.seal(JSON.stringify(cells)), outcome: null, userId: null },
    ...{ organizationId: null, isApplied: false, before: null, after: null, problems: null },
  }))
  const plans = new Map((await planRows(ctx, stored, { ...options, columns })).map((plan) => [plan.row, plan]))
  const names = new Map(mapping.map(({ field }): [unknown, string] => [personField(field) ?? field, field]))
  return rows.map(({ mapped }, at): FoundProblems => {
    const problems = (plans.get(at)?.problems ?? []).map((one) => ({ one, field: names.get(one.params?.['field']) }))
    return {
      // A step can fail also for a field that can't be planned yet.
      values: previewed.mapping.map(
        (entry, index) => problems.find(({ field }) => field === entry.field)?.one ?? mapped[index]?.problem ?? null,
      ),
      row: problems.flatMap(({ one, field }) => (field === undefined ? [one] : [])),
    }
  })
}

async function findProblemsOfDepartments(ctx: Context, { mapping, syncId }: Previewed, rows: readonly RawRow[]) {
  const sync = syncId === undefined ? UNSAVED : await syncsService.get(ctx, syncId)
  const world = await loadWorld(ctx, sync, false)
  const known = indexWorld(world)
  const fields = mapping.map((entry) => DEPARTMENT_FIELDS.find((one) => one === entry.field))
  return rows.map(({ key, mapped }): FoundProblems => {
    const read = mapped.map(({ value }) => value.normalize('NFKC').trim())
    const row = { externalId: key, values: Object.fromEntries(fields.map((field, at) => [field, read[at]])) }
    const left = new Map(listLeft(row, known).map((one) => [one.params?.['field'], one]))
    const values = mapped.map(({ problem }, at) => {
      const field = fields[at]
      if (!field) return problem
      return (
        problem ?? valueProblem(field, read[at] ?? '', world.attributes) ?? left.get(organizationField(field)) ?? null
      )
    })
    return { values, row: [] }
  })
}
