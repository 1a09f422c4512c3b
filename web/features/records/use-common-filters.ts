import { useTranslation } from 'react-i18next'
import { CLIENT_TYPES } from '#shared/contract/list-filters.ts'
import type { Filter } from '../../ui/list-filter.ts'

/** Filters that the records share. */
export function useCommonFilters() {
  const { t } = useTranslation()
  return {
    period: { kind: 'period', label: t('records.time') },
    ip: { name: 'ip', label: t('records.ip') },
    clientType: {
      name: 'clientType',
      label: t('records.client-type'),
      options: CLIENT_TYPES.map((value) => ({ value, label: t(`client-type.${value}`) })),
    },
    onCampus: {
      name: 'onCampus',
      label: t('records.place'),
      options: [
        { value: '1', label: t('place.on-campus') },
        { value: '0', label: t('place.off-campus') },
      ],
    },
  } satisfies Record<string, Filter>
}
