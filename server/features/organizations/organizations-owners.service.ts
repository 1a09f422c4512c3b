import { ORGANIZATION_FIELDS } from '#shared/contract/organizations.ts'
import type { Context } from '../../platform/platform.ts'
import { listOrganizationOwners } from '../field-authority/index.ts'
import { errors } from './organizations.errors.ts'
import type { OrganizationSnapshot } from './organizations.store.ts'

type Changing = { id: string; before: Partial<OrganizationSnapshot>; after: Partial<OrganizationSnapshot> }

/**
 * Refuses changes of fields that a directory sync owns: they have to be changed in its source.
 * @throws Refusal `organization.owned-by-source`: of the first organisation, all fields, and in words those of one source.
 */
export async function refuseOwnedFields(ctx: Context, changes: readonly Changing[]): Promise<void> {
  const changing = changes.filter(({ before, after }) => ORGANIZATION_FIELDS.some((one) => before[one] !== after[one]))
  if (changing.length === 0) return
  const owners = await listOrganizationOwners(ctx.db, { ids: changing.map(({ id }) => id) })
  for (const { id, before, after } of changing) {
    const owned = (owners.get(id) ?? []).filter(({ field }) => before[field] !== after[field])
    const [first] = owned
    if (!first) continue
    const fields = ORGANIZATION_FIELDS.filter((one) => owned.some(({ field }) => field === one))
    const ofFirst = fields.filter((one) => owned.some(({ field, syncId }) => field === one && syncId === first.syncId))
    const say = (key: string) => ctx.translate(ctx.client.language, key)
    throw errors['organization.owned-by-source']({
      params: {
        name: before.names?.[ctx.client.language] || (before.name ?? ''),
        source: first.source,
        fields: ofFirst.map((field) => say(`sync-field.${field}`)).join(say('list.separator')),
      },
      data: { fields },
    })
  }
}
