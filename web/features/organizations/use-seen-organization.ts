import { useTranslation } from 'react-i18next'
import type { OrganizationNode } from '#shared/contract/organizations.ts'
import { queryClient } from '../../platform/queries.ts'
import { useSeenVersion } from '../../ui/use-seen-version.ts'

/** For a dialog about an organisation: the effects that it shows depend on others, too. */
export function useSeenOrganization(opened: number) {
  const { t } = useTranslation()
  return useSeenVersion<Pick<OrganizationNode, 'name' | 'version'>>(opened, {
    reread: () => queryClient.invalidateQueries(),
    text: (current) => t('organization.changed-meanwhile', { name: current?.name ?? '' }),
  }).inSeenVersion
}
