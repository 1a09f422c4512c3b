import type { Context } from '../../platform/platform.ts'
import { hasLimitedScope } from '../access/index.ts'
import { formatAccessGains, listAccessGains } from '../access-gains/index.ts'
import type { PersonValues, ValueField } from './save-users.types.ts'
import { type OrganizationsById, permissionsOver } from './save-users-checks.service.ts'
import { addProblem, needsWrite, type PlannedRow } from './save-users-plan.rules.ts'

type PathLookup = (organizationId: string | null) => readonly string[]

const GRANTING_FIELDS = ['organizationId', 'secondaryOrganizationIds', 'categoryId'] as const
type GrantingField = (typeof GRANTING_FIELDS)[number]
type ToSubjects = (values: PersonValues, pathOf: PathLookup) => readonly string[]

/** The grant subjects behind a value, by which a person may gain applications; null: nothing is granted by this field. */
const FIELD_SUBJECTS: Record<GrantingField, ToSubjects> & Record<Exclude<ValueField, GrantingField>, null> = {
  organizationId: ({ organizationId }, pathOf) => pathOf(organizationId),
  secondaryOrganizationIds: ({ secondaryOrganizationIds }, pathOf) => secondaryOrganizationIds.flatMap(pathOf),
  categoryId: ({ categoryId }) => (categoryId === null ? [] : [categoryId]),
  name: null,
  nickname: null,
  gender: null,
  birthday: null,
  idNumber: null,
  personnelTypeId: null,
  phone: null,
  mailbox: null,
  alias: null,
  enabled: null,
  validFrom: null,
  validUntil: null,
}

/**
 * Marks the fields by which people would gain applications or roles that the caller may not grant to them: for a new person by the
 * permissions at their department, for others by those where they are now. Only for valid rows, so that nothing is revealed about places
 * out of scope.
 */
export async function checkGains(ctx: Context, rows: readonly PlannedRow[], places: OrganizationsById): Promise<void> {
  if (!hasLimitedScope(ctx)) return
  const pathOf: PathLookup = (id) => places.get(id ?? '')?.ancestorIds ?? []
  const subjectsOf = (field: GrantingField, values: PersonValues) => FIELD_SUBJECTS[field](values, pathOf)
  const queries = rows
    .filter((row) => needsWrite(row) && !canAuthorise(row, places))
    .flatMap((row) => {
      const { id, existing, changed, after } = row
      const without = existing ? [id, ...GRANTING_FIELDS.flatMap((field) => subjectsOf(field, existing.values))] : []
      return GRANTING_FIELDS.filter((field) => changed.includes(field)).map((field) => {
        const by = subjectsOf(field, after).filter((one) => !without.includes(one))
        return { row, field, change: { by, without } }
      })
    })
  const gains = await listAccessGains(
    ctx,
    queries.map(({ change }) => change),
  )
  for (const [at, { row, field }] of queries.entries()) {
    const things = gains[at]
    if (things && things.total > 0) addProblem(row, field, 'gains', { things: formatAccessGains(ctx, things) })
  }
}

function canAuthorise({ existing, after }: PlannedRow, places: OrganizationsById): boolean {
  const permissions = existing ? permissionsOver(existing, places) : places.get(after.organizationId ?? '')?.permissions
  return permissions?.includes('authorise') ?? false
}
