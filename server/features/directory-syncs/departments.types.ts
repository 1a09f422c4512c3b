import type { SyncOutcome } from '#shared/contract/directory-syncs.ts'
import type { BulkOrganization } from '../organizations/index.ts'
import type { DepartmentLink } from './department-links.store.ts'
import type { Problem, StoredRow } from './rows.store.ts'

/** What a row says of its department. */
export type DepartmentRow = Pick<StoredRow, 'row' | 'externalId' | 'outcome' | 'organizationId'> & {
  parentKey: string
  values: Partial<Record<'name' | 'code' | 'attribute' | 'order', string>>
  problems: Problem[]
}

export type DepartmentWorld = {
  organizations: readonly BulkOrganization[]
  links: readonly DepartmentLink[]
  attributes: ReadonlySet<string>
}

/** What may change of a department; `position` null: behind the others. */
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
  problems: Problem[]
  /** It contradicts the rest of the source, so that nobody can say what is missing there. */
  isBroken: boolean
}

export const departmentProblem = (key: string, params?: Problem['params']): Problem => ({
  key: `department-sync-problem.${key}`,
  ...(params && { params }),
})

export type Known = {
  byId: ReadonlyMap<string, BulkOrganization>
  byCode: ReadonlyMap<string, BulkOrganization>
  linkOf: ReadonlyMap<string, DepartmentLink>
  /** Which key of the source a department is linked to. */
  keyOf: ReadonlyMap<string, string>
}

/** A row, and which department it is: one that is here, or one that is to be. */
export type Placed = {
  row: DepartmentRow
  id: string
  isNew: boolean
  /** A person has to decide about it. */
  isConflict: boolean
  isBroken: boolean
  problems: Problem[]
  parentId: string | null
}
