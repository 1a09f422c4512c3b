import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { listLogApplications, listLogRanges } from '#shared/contract/log-centre.ts'
import { type OrganizationFound, organizationPath, searchOrganizations } from '#shared/contract/organizations.ts'
import { call } from '../platform/api.ts'
import type { Filter } from './list-filter.ts'
import type { ListState } from './list-state.ts'
import type { OptionSource, PickerOption } from './use-option-search.ts'

const STALE_AFTER_MS = 60_000

const toOrganization = ({ id, name, code, path }: OrganizationFound): PickerOption => ({
  id,
  label: name,
  hint: [...path.map((step) => step.name), code].join(' / '),
})
type Choice = z.infer<typeof listLogApplications.output>['records'][number]
const toOption = ({ id, name }: Choice): PickerOption => ({ id, label: name })

const ORGANIZATIONS: OptionSource<OrganizationFound> = { endpoint: searchOrganizations, toOption: toOrganization }
const APPLICATIONS: OptionSource<Choice> = { endpoint: listLogApplications, toOption }
const RANGES: OptionSource<Choice> = { endpoint: listLogRanges, toOption }

/** The name of an id in the address, which was not picked on this page. */
function useName(
  id: string | undefined,
  key: string,
  load: (id: string, signal: AbortSignal) => Promise<string | undefined>,
) {
  const { i18n } = useTranslation()
  const { data } = useQuery({
    queryKey: [key, 'name', id, i18n.language],
    queryFn: async ({ signal }) => (await load(id ?? '', signal)) ?? null,
    enabled: id !== undefined,
    staleTime: STALE_AFTER_MS,
    retry: false,
  })
  return data ?? undefined
}

/** Filters for one of many organisations, applications or ranges. @param filters the active filters, by name. */
export function useNamedFilters(filters: ListState['filters'], { portal = true } = {}) {
  const { t } = useTranslation()
  const organization = useName(
    filters['organizationId'],
    'organizations',
    async (id, signal) => (await call(organizationPath, { query: { id } }, { signal })).nodes.at(-1)?.name,
  )
  const application = useName(
    filters['applicationId'],
    'log-application',
    async (id, signal) => (await call(listLogApplications, { query: { id } }, { signal })).records[0]?.name,
  )
  const pick = <Row>(name: string, label: string, source: OptionSource<Row>, valueName?: string): Filter => ({
    kind: 'pick',
    name,
    label,
    source,
    valueName,
  })
  const applications = portal ? APPLICATIONS : { ...APPLICATIONS, query: { portal: '0' } }
  return {
    organization: pick('organizationId', t('current-login-manage.organization'), ORGANIZATIONS, organization),
    application: pick('applicationId', t('records.application'), applications, application),
    range: pick('ipRange', t('log.range'), RANGES),
  }
}
