import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { listLogApplications, listLogRanges, PORTAL } from '#shared/contract/log-centre.ts'
import { type OrganizationFound, organizationPath, searchOrganizations } from '#shared/contract/organizations.ts'
import { listUserCategoryOptions } from '#shared/contract/reference-data.ts'
import { call } from '../../platform/api.ts'
import { translateOr } from '../../platform/i18n.ts'
import { useFirstMove } from '../../platform/use-first-move.ts'
import type { Filter } from '../../ui/list-filter.ts'
import { useListState } from '../../ui/list-state.ts'
import type { OptionSource, PickerOption } from '../../ui/use-option-search.ts'
import type { CommonLine, LogKind } from './log-columns.tsx'
import type { Pivot } from './log-pivots.tsx'
import { useCommonFilters } from './use-common-filters.ts'

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

/** What the address asks for by an id is called: nobody picked it on this page. */
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

function useCategories() {
  const { i18n } = useTranslation()
  const { data } = useQuery({
    queryKey: ['user-category', 'options', i18n.language],
    queryFn: ({ signal }) => call(listUserCategoryOptions, {}, { signal }),
    enabled: useFirstMove(),
    staleTime: STALE_AFTER_MS,
  })
  return (data?.records ?? []).map(({ id, name }) => ({ value: id, label: name }))
}

/** What both logs are narrowed down by, and what one of them has beside. */
export function useLogFilters(kind: LogKind, more: readonly Filter[]): Filter[] {
  const { t } = useTranslation()
  const { period, ip, clientType, onCampus } = useCommonFilters()
  const { filters } = useListState(['organizationId', 'applicationId'], 'address', 'log').state
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
  const categories = useCategories()
  const pick = <Row>(name: string, label: string, source: OptionSource<Row>, valueName?: string): Filter => ({
    kind: 'pick',
    name,
    label,
    source,
    valueName,
  })
  return [
    period,
    {
      name: 'result',
      label: t('records.result'),
      options: [
        { value: '1', label: t(kind === 'login' ? 'records.result.succeeded' : 'log.entered') },
        { value: '0', label: t('records.result.failed') },
      ],
    },
    pick('organizationId', t('current-login-manage.organization'), ORGANIZATIONS, organization),
    pick('applicationId', t('records.application'), APPLICATIONS, application),
    { name: 'categoryId', label: t('log.category'), options: categories },
    ip,
    pick('ipRange', t('log.range'), RANGES),
    onCampus,
    clientType,
    ...more,
  ]
}

/** Values that lines of both logs are picked by, and those that one of them has beside. */
export function useLogPivots<Row extends CommonLine>(kind: LogKind, more: readonly Pivot<Row>[] = []): Pivot<Row>[] {
  const { t } = useTranslation()
  return [
    {
      name: 'userId',
      label: t('log.person'),
      nameIn: ({ userId, person }, value) => (userId === value ? person : null),
    },
    {
      name: 'applicationId',
      label: t('records.application'),
      nameIn: ({ applicationId, application }, value) =>
        value === PORTAL ? t('records.portal') : applicationId === value ? application : null,
    },
    {
      name: 'reason',
      label: t('records.reason'),
      nameIn: (_line, value) => translateOr(`${kind}-reason.${value}`, 'login-reason.unknown'),
    },
    { name: 'session', label: t('log.session') },
    ...more,
  ]
}
