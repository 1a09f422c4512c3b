import type { Db } from '../../platform/db.ts'

export type OrganizationRow = {
  id: string
  code: string
  name: string
  names: Record<string, string>
  parentId: string | null
  ancestorIds: string[]
  attribute: string | null
  position: number
  enabled: boolean
}

const MAX_ORGANIZATIONS = 100_000

export const listOrganizations = (db: Db) => db<OrganizationRow[]>`
  select id, code, name, names, parent_id, ancestor_ids, attribute, position, enabled
  from organizations order by ancestor_ids limit ${MAX_ORGANIZATIONS}`
