import type { DirectorySync } from '#shared/contract/directory-syncs.ts'
import type { DepartmentSyncFields } from '#shared/contract/sync-departments.ts'
import type { Context } from '../../platform/platform.ts'
import { listOrganizationOwners, type Ranked } from '../field-authority/index.ts'
import { loadTree } from '../organizations/index.ts'
import { listAttributes, listDepartmentLinks } from './department-links.store.ts'
import type { DepartmentRow, DepartmentWorld } from './departments.types.ts'
import { errors } from './directory-syncs.errors.ts'
import type { StoredRow } from './rows.store.ts'
import { columnsOf, mapValue } from './transforms.rules.ts'

/** @throws Refusal `directory-sync.no-departments` if the sync doesn't read departments any more. */
export function departmentOptions(sync: DirectorySync): DepartmentSyncFields {
  if (!sync.departments) throw errors['directory-sync.no-departments']()
  return sync.departments
}

/** The columns read after the key, in this order. */
export const departmentColumns = ({ parentColumn, mapping }: DepartmentSyncFields): string[] => [
  ...new Set([parentColumn, ...columnsOf(mapping)]),
]

/** The departments here, those that this sync has linked, and whose their fields are. */
export async function loadWorld(ctx: Context, sync: Ranked, lock: boolean): Promise<DepartmentWorld> {
  return {
    organizations: await loadTree(ctx, lock),
    links: await listDepartmentLinks(ctx.db, sync.id),
    owners: await listOrganizationOwners(ctx.db, { above: sync }),
    attributes: await listAttributes(ctx.db),
  }
}

type Mapping = { options: DepartmentSyncFields; columns: readonly string[] }

/** What the cells of a row say about a department; a failed transform is a problem of the row. */
export function mapDepartment(
  cells: readonly string[],
  { options, columns }: Mapping,
): Pick<DepartmentRow, 'parentKey' | 'values' | 'problems'> {
  const cell = (column: string) => cells[columns.indexOf(column)] ?? ''
  const mapped = options.mapping.map((entry) => [entry.field, mapValue(entry, cell)] as const)
  return {
    parentKey: cell(options.parentColumn).trim(),
    values: Object.fromEntries(mapped.map(([field, { value }]) => [field, value.normalize('NFKC').trim()])),
    problems: mapped.flatMap(([, { problem }]) => problem ?? []),
  }
}

/** The same for a stored row. */
export const readDepartment = (ctx: Context, stored: StoredRow, mapping: Mapping): DepartmentRow => ({
  ...stored,
  ...mapDepartment(stored.cells === null ? [] : (JSON.parse(ctx.secrets.open(stored.cells)) as string[]), mapping),
})
