import type { ImportField } from '#shared/contract/user-imports.ts'
import type { PersonField } from '#shared/contract/users.ts'
import type { Db } from '../../platform/db.ts'

/** The sync that owns a field of a person: nobody else may write it. */
export type FieldOwner = {
  field: PersonField
  syncId: string
  sync: string
  source: string
  /** The run that linked them; null: before runs were recorded. */
  runId: string | null
  since: Date | null
}

const PERSON_FIELDS: Partial<Record<ImportField, PersonField | null>> = {
  account: null,
  roles: null,
  // Whether a person may log in stays an administrator's decision.
  enabled: null,
  category: 'categoryId',
  organization: 'organizationId',
  secondaryOrganizations: 'secondaryOrganizationIds',
  personnelNature: 'personnelNatureId',
}

/** The field of a person for a field of a mapping; null: none that a sync could own. */
export const personField = (field: ImportField): PersonField | null =>
  field in PERSON_FIELDS ? (PERSON_FIELDS[field] ?? null) : (field as PersonField)

type Row = Omit<FieldOwner, 'field'> & { userId: string; fields: ImportField[] }

/**
 * Which sync owns which fields of these people: of several that fill a field the first by rank, as long as its source has the person.
 * People without an owner are left out.
 */
export async function listFieldOwners(db: Db, userIds: readonly string[]): Promise<Map<string, FieldOwner[]>> {
  const rows = await db<Row[]>`
    select l.user_id, y.id as "syncId", y.name as sync, s.name as source, l.run_id, l.linked_at as since,
      jsonb_path_query_array(y.mapping, '$[*].field') as fields
    from directory_links l join directory_syncs y on y.id = l.sync_id join data_sources s on s.id = y.source_id
    where l.user_id = any(${userIds as string[]}::uuid[]) and l.missing_since is null order by y.rank, y.id`
  const owners = new Map<string, Map<PersonField, FieldOwner>>()
  for (const { userId, fields, ...owner } of rows) {
    const own = owners.get(userId) ?? new Map<PersonField, FieldOwner>()
    for (const name of fields) {
      const field = personField(name)
      if (field !== null && !own.has(field)) own.set(field, { field, ...owner })
    }
    owners.set(userId, own)
  }
  return new Map([...owners].map(([userId, own]) => [userId, [...own.values()]]))
}
