import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PORTAL } from '#shared/contract/log-centre.ts'
import { listUserCategoryOptions } from '#shared/contract/reference-data.ts'
import { call } from '../../platform/api.ts'
import { useFirstMove } from '../../platform/use-first-move.ts'
import type { Filter } from '../../ui/list-filter.ts'
import { useListState } from '../../ui/list-state.ts'
import { useNamedFilters } from '../../ui/named-filters.ts'
import { type LogKind, reasonName, resultKeys, resultTitle, shortSession } from './log-columns.tsx'
import type { Pivot } from './log-pivots.tsx'
import { useCommonFilters } from './use-common-filters.ts'

const STALE_AFTER_MS = 60_000

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

/** The filters of both logs, and those of only one. */
export function useLogFilters(kind: LogKind, more: readonly Filter[]): Filter[] {
  const { t } = useTranslation()
  const { period, ip, clientType, onCampus } = useCommonFilters()
  const { filters } = useListState(['organizationId', 'applicationId'], 'address', 'log').state
  const named = useNamedFilters(filters)
  const categories = useCategories()
  return [
    period,
    {
      name: 'result',
      label: t(resultTitle(kind)),
      options: [
        { value: '1', label: t(resultKeys(kind).well) },
        { value: '0', label: t(resultKeys(kind).failed) },
      ],
    },
    named.organization,
    named.application,
    { name: 'categoryId', label: t('log.category'), options: categories },
    ip,
    named.range,
    onCampus,
    clientType,
    ...more,
  ]
}

/** The pickable values of both logs, and those of only one. */
export function useLogPivots(kind: LogKind, more: readonly Pivot[] = []): Pivot[] {
  const { t } = useTranslation()
  return [
    { name: 'userId', label: t('log.person') },
    {
      name: 'applicationId',
      label: t('records.application'),
      nameOf: (value) => (value === PORTAL ? t('records.portal') : value),
    },
    { name: 'reason', label: t('records.reason'), nameOf: (value) => reasonName(kind, value) },
    { name: 'session', label: t('log.session'), nameOf: shortSession },
    ...more,
  ]
}
