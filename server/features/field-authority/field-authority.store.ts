import type { OrganizationField } from '#shared/contract/organizations.ts'
import type { DepartmentField } from '#shared/contract/sync-departments.ts'
import type { ImportField } from '#shared/contract/user-imports.ts'
import type { PersonField } from '#shared/contract/users.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { isProtected } from '../access/index.ts'

/** The sync that owns a field of a person or department: nobody else may write it. */
export type FieldOwner<Field extends string = PersonField> = {
  field: Field
  syncId: string
  sync: string
  source: string
  /** The run that linked them; null: before runs were recorded. */
  runId: string | null
  since: Date | null
}

/** The owners of the fields of each person or department; those without an owner are left out. */
export type FieldOwners<Field extends string = PersonField> = ReadonlyMap<string, readonly FieldOwner<Field>[]>

const PERSON_FIELDS: Partial<Record<ImportField, PersonField | null>> = {
  account: null,
  roles: null,
  // Whether a person may log in stays an administrator's decision.
  enabled: null,
  category: 'categoryId',
  organization: 'organizationId',
  secondaryOrganizations: 'secondaryOrganizationIds',
  personnelType: 'personnelTypeId',
}

/** The field of a person for a field of a mapping; null: none that a sync could own. */
export const personField = (field: ImportField): PersonField | null =>
  field in PERSON_FIELDS ? (PERSON_FIELDS[field] ?? null) : (field as PersonField)

/** The field of a department for a field of a mapping. */
export const organizationField = (field: DepartmentField): OrganizationField => (field === 'order' ? 'position' : field)

/** Every sync of departments places them. */
const organizationFields = (fields: readonly DepartmentField[]): OrganizationField[] => [
  ...fields.map(organizationField),
  'parentId',
]

/** A sync among those that fill the same fields. */
export type Ranked = {
  id: string
  /** Of one that isn't saved yet. */
  rank: number
}

/**
 * Syncs that take precedence over this one, by its current rank: it may be changed while a run writes.
 * @param sync the alias of their table
 */
export const takesPrecedence = (db: Db, { id, rank }: Ranked, sync = 'y'): SqlFragment =>
  db`(${db(sync)}.rank, ${db(sync)}.id) <
    (coalesce((select self.rank from directory_syncs self where self.id = ${id}), ${rank}), ${id}::uuid)`

type Link<Mapped> = Omit<FieldOwner, 'field'> & { linked: string; fields: Mapped[] }

/** Of several syncs that fill a field the first owns it. */
function ownersOf<Mapped, Field extends string>(
  links: readonly Link<Mapped>[],
  fieldsOf: (fields: readonly Mapped[]) => Field[],
): FieldOwners<Field> {
  const owners = new Map<string, Map<Field, FieldOwner<Field>>>()
  for (const { linked, fields, ...owner } of links) {
    const own = owners.get(linked) ?? new Map<Field, FieldOwner<Field>>()
    for (const field of fieldsOf(fields)) if (!own.has(field)) own.set(field, { field, ...owner })
    owners.set(linked, own)
  }
  return new Map([...owners].map(([linked, own]) => [linked, [...own.values()]]))
}

/**
 * Which sync owns which fields of these people: of several that fill a field the first by rank, as long as its source has the person.
 * Nobody owns those of super users and administrators.
 * @param above only syncs that take precedence over this one
 */
export async function listFieldOwners(db: Db, userIds: readonly string[], above?: Ranked): Promise<FieldOwners> {
  const links = await db<Link<ImportField>[]>`
    select l.user_id as linked, y.id as sync_id, y.name as sync, s.name as source, l.run_id, l.linked_at as since,
      jsonb_path_query_array(y.mapping, '$[*].field') as fields
    from directory_links l join directory_syncs y on y.id = l.sync_id join data_sources s on s.id = y.source_id
      join users u on u.id = l.user_id
    where l.user_id = any(${userIds as string[]}::uuid[]) and l.missing_since is null and y.objects <> 'departments'
      and not ${isProtected(db)}
      and ${above ? takesPrecedence(db, above) : db`true`}
    order by y.rank, y.id`
  return ownersOf(links, (fields) => fields.flatMap((field) => personField(field) ?? []))
}

/** The same for departments. @param which these ones, or every one that syncs above this one have */
export async function listOrganizationOwners(
  db: Db,
  which: { ids: readonly string[] } | { above: Ranked },
): Promise<FieldOwners<OrganizationField>> {
  const links = await db<Link<DepartmentField>[]>`
    select l.organization_id as linked, y.id as sync_id, y.name as sync, s.name as source, l.run_id, l.linked_at as since,
      jsonb_path_query_array(y.departments, '$.mapping[*].field') as fields
    from directory_department_links l join directory_syncs y on y.id = l.sync_id join data_sources s on s.id = y.source_id
    where l.missing_since is null and y.objects <> 'people'
      and ${'ids' in which ? db`l.organization_id = any(${which.ids as string[]}::uuid[])` : takesPrecedence(db, which.above)}
    order by y.rank, y.id`
  return ownersOf(links, organizationFields)
}
