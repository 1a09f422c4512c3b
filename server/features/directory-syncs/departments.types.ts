import type { OrganizationField } from '#shared/contract/organizations.ts'
import type { SyncOutcome } from '#shared/contract/sync-runs.ts'
import type { FieldOwner, FieldOwners } from '../field-authority/index.ts'
import type { BulkOrganization } from '../organizations/index.ts'
import type { DepartmentLink } from './department-links.store.ts'
import type { Problem, StoredRow } from './rows.store.ts'

/** A department's row as read. */
export type DepartmentRow = Pick<StoredRow, 'row' | 'externalId' | 'outcome' | 'organizationId'> & {
  parentKey: string
  values: Partial<Record<'name' | 'code' | 'attribute' | 'order', string>>
  problems: Problem[]
}

export type DepartmentWorld = {
  organizations: readonly BulkOrganization[]
  links: readonly DepartmentLink[]
  /** Of fields that syncs with precedence fill. */
  owners: FieldOwners<OrganizationField>
  attributes: ReadonlySet<string>
}

/** The fields of a department that a sync changes; `position` null: after the others. */
export type DepartmentValues = {
  name: string
  code: string
  attribute: string | null
  parentId: string | null
  position: number | null
  enabled: boolean
}

export type DepartmentPlan = {
  row: number
  externalId: string
  outcome: SyncOutcome
  organizationId: string | null
  before: Partial<DepartmentValues> | null
  after: Partial<DepartmentValues> | null
  /** Also what was left to other syncs. */
  problems: Problem[]
  /** It contradicts other rows, so that missing departments can't be determined. */
  isBroken: boolean
}

export const departmentProblem = (key: string, params?: Problem['params']): Problem => ({
  key: `department-sync-problem.${key}`,
  ...(params && { params }),
})

/** A field that stays as a sync with precedence wrote it. */
export const leftTo = ({ field, sync }: FieldOwner<OrganizationField>): Problem => ({
  key: 'directory-sync-problem.left-to',
  params: { field, sync },
})

export type Known = {
  byId: ReadonlyMap<string, BulkOrganization>
  byCode: ReadonlyMap<string, BulkOrganization>
  linkOf: ReadonlyMap<string, DepartmentLink>
  /** The source key that a department is linked to. */
  keyOf: ReadonlyMap<string, string>
  owners: DepartmentWorld['owners']
}

/** Does a sync with precedence fill this field of a department? */
export const isOwned = ({ owners }: Pick<Known, 'owners'>, id: string, field: string): boolean =>
  owners.get(id)?.some((one) => one.field === field) ?? false

/** A row with its department: an existing one or one to create. */
export type Placed = {
  row: DepartmentRow
  id: string
  isNew: boolean
  /** Needs a person's decision. */
  isConflict: boolean
  isBroken: boolean
  problems: Problem[]
  parentId: string | null
}
