import type { Context } from '../../platform/platform.ts'
import { formatAccessGains, listAccessGains } from '../access-gains/index.ts'
import type { PersonValues, ValueField } from './save-users.types.ts'
import { hasLimitedScope, type OrganizationsById, powersOver } from './save-users-checks.service.ts'
import { addProblem, needsWrite, type PlannedRow } from './save-users-plan.rules.ts'

type PathLookup = (organizationId: string | null) => readonly string[]

const GRANTING_FIELDS = ['organizationId', 'secondaryOrganizationIds', 'categoryId'] as const
type GrantingField = (typeof GRANTING_FIELDS)[number]
type ToSubjects = (values: PersonValues, pathOf: PathLookup) => readonly string[]

/** What applications are granted to by which a value lets a person come to them; null: a value that nothing is granted by. */
const FIELD_SUBJECTS: Record<GrantingField, ToSubjects> & Record<Exclude<ValueField, GrantingField>, null> = {
  organizationId: ({ organizationId }, pathOf) => pathOf(organizationId),
  secondaryOrganizationIds: ({ secondaryOrganizationIds }, pathOf) => secondaryOrganizationIds.flatMap(pathOf),
  categoryId: ({ categoryId }) => (categoryId === null ? [] : [categoryId]),
  name: null,
  nickname: null,
  gender: null,
  birthday: null,
  idNumber: null,
  personnelNatureId: null,
  phone: null,
  mailbox: null,
  alias: null,
  enabled: null,
  validFrom: null,
  validUntil: null,
}

/**
 * Marks the fields by which people would come to applications or roles, where the caller may not grant those to them: somebody new by
 * the powers at their department, others by the powers where they are now. Asked of good rows only: of a place that is not theirs
 * nobody learns what it gives.
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
        return { row, field, way: { by, without } }
      })
    })
  const gains = await listAccessGains(
    ctx,
    queries.map(({ way }) => way),
  )
  for (const [at, { row, field }] of queries.entries()) {
    const things = gains[at]
    if (things && things.total > 0) addProblem(row, field, 'gains', { things: formatAccessGains(ctx, things) })
  }
}

function canAuthorise({ existing, after }: PlannedRow, places: OrganizationsById): boolean {
  const powers = existing ? powersOver(existing, places) : places.get(after.organizationId ?? '')?.powers
  return powers?.includes('authorise') ?? false
}
