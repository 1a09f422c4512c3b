import { useTranslation } from 'react-i18next'
import { searchVisits, type VisitLogLine, visitFigures } from '#shared/contract/log-centre.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import type { Filter } from '../../ui/list-filter.ts'
import type { Column } from '../../ui/list-table.types.ts'
import { VisitLine } from './LogLines.tsx'
import { LogPage } from './LogPage.tsx'
import { PROTOCOLS, protocolName, useLogColumns } from './log-columns.tsx'
import { LogWord, type Narrow } from './log-pivots.tsx'
import { useLogFilters, useLogPivots } from './use-log-filters.ts'

/** Visits to applications, including refused ones. */
export function VisitLogPage() {
  const { t, i18n } = useTranslation()
  const nameOf = ({ at, person }: VisitLogLine) => `${formatDateTime(new Date(at), i18n.language)}, ${person ?? '—'}`
  return (
    <LogPage<VisitLogLine>
      title={t('app-visit-log.title')}
      explain={t('app-visit-log.explain')}
      endpoint={searchVisits}
      counted={{ kind: 'visit', figures: visitFigures }}
      tableKey="app-visit-log"
      rowName={nameOf}
      columns={useColumns()}
      filters={useFilters()}
      pivots={useLogPivots('visit')}
      drawer={(key, narrow) => <VisitLine id={key} onPick={narrow} />}
    />
  )
}

function useColumns(): (narrow: Narrow) => Column<VisitLogLine>[] {
  const { t } = useTranslation()
  const common = useLogColumns<VisitLogLine>('visit')
  return (onPick) => {
    const { at, result, person, organization, category, application, ip, place, clientType, session } = common(onPick)
    return [
      at,
      result,
      person,
      organization,
      category,
      application,
      {
        key: 'entry',
        title: t('records.entry'),
        render: ({ entry }) => (
          <LogWord name="entry" value={entry} word={t(`records.entry.${entry}`)} onPick={onPick} />
        ),
      },
      {
        key: 'protocol',
        title: t('log.protocol'),
        isExtra: true,
        render: ({ protocol }) => (
          <LogWord name="protocol" value={protocol} word={protocolName(protocol)} onPick={onPick} />
        ),
      },
      ip,
      place,
      clientType,
      session,
    ]
  }
}

function useFilters(): Filter[] {
  const { t } = useTranslation()
  return useLogFilters('visit', [
    {
      name: 'entry',
      label: t('records.entry'),
      options: (['portal', 'sign-on', 'application'] as const).map((value) => ({
        value,
        label: t(`records.entry.${value}`),
      })),
    },
    {
      name: 'protocol',
      label: t('log.protocol'),
      options: Object.entries(PROTOCOLS).map(([value, label]) => ({ value, label })),
    },
  ])
}
