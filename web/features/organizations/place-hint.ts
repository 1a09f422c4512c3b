import type { TFunction } from 'i18next'
import type { OrganizationNode } from '#shared/contract/organizations.ts'

/** Says which source owns the place of an organisation that the person could move otherwise; absent: none does. */
export function placeHint(t: TFunction, { may, placedBy }: OrganizationNode): string | undefined {
  const { parentId, position } = placedBy
  const sources = [...new Set([parentId, position].filter((one) => one !== null))]
  if (!may.change || sources.length === 0) return undefined
  const source = sources.join(t('list.separator'))
  return t(may.move ? 'organization.parent-owned' : 'organization.place-owned', { source })
}
