import { NIL } from 'uuid'
import { DEPARTMENT_FIELDS } from '#shared/contract/sync-departments.ts'
import type { previewSyncMapping } from '#shared/contract/sync-mappings.ts'
import { ImportField } from '#shared/contract/user-imports.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { personField } from '../field-authority/index.ts'
import { listAttributes } from './department-links.store.ts'
import { valueProblem } from './department-plan.rules.ts'
import { syncsService } from './directory-syncs.service.ts'
import { loadPlanOptions } from './plan-options.service.ts'
import { planRows } from './plan-rows.service.ts'
import type { Problem } from './rows.store.ts'
import { columnsOf, mapValue } from './transforms.rules.ts'

type Previewed = Input<typeof previewSyncMapping>['body']

/** A row as it was read: its cells are those of `columnsOf` the mapping. */
type RawRow = { key: string; cells: readonly string[] }

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
    ...{ organizationId: null, isApplied: false, before: null, after: null },
  }))
  const plans = new Map((await planRows(ctx, stored, { ...options, columns })).map((plan) => [plan.row, plan]))
  const names = new Map(mapping.map(({ field }): [unknown, string] => [personField(field) ?? field, field]))
  return rows.map((_, at): FoundProblems => {
    const problems = (plans.get(at)?.problems ?? []).map((one) => ({ one, field: names.get(one.params?.['field']) }))
    return {
      values: previewed.mapping.map((entry) => problems.find(({ field }) => field === entry.field)?.one ?? null),
      row: problems.flatMap(({ one, field }) => (field === undefined ? [one] : [])),
    }
  })
}

async function findProblemsOfDepartments(ctx: Context, { mapping }: Previewed, rows: readonly RawRow[]) {
  const attributes = await listAttributes(ctx.db)
  const columns = columnsOf(mapping)
  return rows.map(({ cells }): FoundProblems => {
    const values = mapping.map((entry) => {
      const { value, problem } = mapValue(entry, (column) => cells[columns.indexOf(column)] ?? '')
      const field = DEPARTMENT_FIELDS.find((one) => one === entry.field)
      return problem ?? (field ? valueProblem(field, value.normalize('NFKC').trim(), attributes) : null)
    })
    return { values, row: [] }
  })
}
