import { useTranslation } from 'react-i18next'
import { exportMyVisits, listMyVisits, type VisitRecord } from '#shared/contract/records.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { Time } from '../../ui/Time.tsx'
import { useCommonFilters } from './use-common-filters.ts'

/** The applications that I opened. */
export function VisitsPage() {
  const { t } = useTranslation()
  const nameOf = ({ application }: VisitRecord) => application ?? t('records.application-gone')
  return (
    <div className="page">
      <ListPage<VisitRecord>
        title={t('my-visits.title')}
        explain={t('my-visits.explain')}
        endpoint={listMyVisits}
        exportEndpoint={exportMyVisits}
        queryKey="my-visits"
        tableKey="my-visits"
        pageSizes="log"
        rowKey="id"
        rowName={nameOf}
        columns={useColumns(nameOf)}
        filters={useFilters()}
        searchLabel={t('my-visits.search')}
        defaultSort="-accessTime"
      />
    </div>
  )
}

function useColumns(nameOf: (visit: VisitRecord) => string): Column<VisitRecord>[] {
  const { t } = useTranslation()
  return [
    { key: 'application', title: t('records.application'), render: nameOf },
    {
      key: 'accessTime',
      title: t('records.access-time'),
      sortable: true,
      render: ({ accessTime }) => <Time value={accessTime} />,
    },
    { key: 'entry', title: t('records.entry'), render: ({ entry }) => t(`records.entry.${entry}`) },
    { key: 'clientType', title: t('records.client-type'), render: ({ clientType }) => t(`client-type.${clientType}`) },
    {
      key: 'place',
      title: t('records.place'),
      render: ({ onCampus }) => t(onCampus ? 'place.on-campus' : 'place.off-campus'),
    },
    { key: 'ip', title: t('records.ip'), render: ({ ip }) => ip },
  ]
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  const { period, ip, clientType, onCampus } = useCommonFilters()
  return [
    period,
    {
      name: 'entry',
      label: t('records.entry'),
      options: (['portal', 'sign-on', 'application'] as const).map((value) => ({
        value,
        label: t(`records.entry.${value}`),
      })),
    },
    clientType,
    onCampus,
    ip,
  ]
}
