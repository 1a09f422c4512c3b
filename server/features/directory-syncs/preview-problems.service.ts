import { DEPARTMENT_FIELDS } from '#shared/contract/sync-departments.ts'
import type { previewSyncMapping } from '#shared/contract/sync-mappings.ts'
import { ImportField } from '#shared/contract/user-imports.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { readRow } from '../user-imports/index.ts'
import { listAttributes } from './department-links.store.ts'
import { valueProblem } from './department-plan.rules.ts'
import { loadSourceWords } from './plan-options.service.ts'
import type { Problem } from './rows.store.ts'

type Previewed = Pick<Input<typeof previewSyncMapping>['body'], 'sourceId' | 'of' | 'withDepartments' | 'mapping'>

/** Tells what a run would find wrong with the values of a row, one for each entry of the mapping; null: nothing. */
type Finder = (values: readonly string[]) => (Problem | null)[]

export const loadProblemFinder = (ctx: Context, previewed: Previewed): Promise<Finder> =>
  previewed.of === 'people' ? finderOfPeople(ctx, previewed) : finderOfDepartments(ctx, previewed)

const DEPARTMENTS: readonly string[] = ['organization', 'secondaryOrganizations']

async function finderOfPeople(ctx: Context, { sourceId, withDepartments, mapping }: Previewed): Promise<Finder> {
  const fields = mapping.map(({ field }) => {
    const known = ImportField.safeParse(field)
    return known.success && !(withDepartments && DEPARTMENTS.includes(field)) ? known.data : null
  })
  const words = await loadSourceWords(
    ctx,
    sourceId,
    fields.flatMap((field) => field ?? []),
  )
  return (values) => {
    const { problems } = readRow({ row: 0, cells: [...values], notes: null }, fields, words)
    return values.map((_, at) => problems.find(({ column }) => column === at) ?? null)
  }
}

async function finderOfDepartments(ctx: Context, { mapping }: Previewed): Promise<Finder> {
  const attributes = await listAttributes(ctx.db)
  const fields = mapping.map(({ field }) => DEPARTMENT_FIELDS.find((one) => one === field))
  return (values) =>
    fields.map((field, at) => {
      const text = (values[at] ?? '').normalize('NFKC').trim()
      return field ? valueProblem(field, text, attributes) : null
    })
}
