import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApplicationDay, queryApplicationStatistics } from '#shared/contract/application-statistics.ts'
import { call } from '../../platform/api.ts'
import { Chart } from '../../ui/Chart.tsx'
import type { ChartProps } from '../../ui/chart.types.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { useNumbers } from './use-numbers.ts'
import './overview.css'

const SPANS = ['7', '30', '90', '365'] as const
type Span = (typeof SPANS)[number]

/** The daily use of an application. */
export function ApplicationStatistics({ applicationId }: { applicationId: string }) {
  const { t } = useTranslation()
  const [span, setSpan] = useState<Span>('30')
  const { data, error, refetch } = useQuery({
    queryKey: ['application-statistics', applicationId, span],
    queryFn: ({ signal }) =>
      call(queryApplicationStatistics, { query: { id: applicationId, days: Number(span) + 1 } }, { signal }),
  })
  return (
    <section className="overview" aria-label={t('application-statistics.title')}>
      <div className="overview-span">
        <SelectField
          label={t('application-statistics.span')}
          value={span}
          onChange={(value) => setSpan(value || '30')}
          options={SPANS.map((days) => ({
            value: days,
            label: t('application-statistics.days', { count: Number(days) }),
          }))}
        />
      </div>
      {data ? (
        <Days days={data.days} />
      ) : error ? (
        <FailedBlock error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={6} />
      )}
    </section>
  )
}

const sumOf = (days: readonly ApplicationDay[], name: 'visits' | 'campusVisits' | 'failures') =>
  days.reduce((sum, day) => sum + day[name], 0)

function Days({ days }: { days: ApplicationDay[] }) {
  const { t } = useTranslation()
  const { count, share } = useNumbers()
  const chart = useDays(days)
  const visits = sumOf(days, 'visits')
  const campus = sumOf(days, 'campusVisits')
  const figures = [
    [t('overview.visits'), visits],
    [t('application-statistics.most-people'), Math.max(...days.map(({ people }) => people))],
    [t('overview.failures'), sumOf(days, 'failures')],
  ] as const
  return (
    <>
      <dl className="card overview-figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{count(value)}</strong>
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('place.on-campus')}</dt>
          <dd>
            <strong>{share(campus, visits)}</strong>
          </dd>
        </div>
      </dl>
      {visits === 0 && <p className="muted">{t('application-statistics.none')}</p>}
      <Chart {...chart} />
    </>
  )
}

/** Whole days only: today would look like a drop. */
function useDays(all: ApplicationDay[]): ChartProps {
  const { t, i18n } = useTranslation()
  const numbers = useNumbers()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language decides what t and the numbers say.
  return useMemo(() => {
    const days = all.slice(0, -1)
    const summary = t('application-statistics.summary', {
      visits: numbers.count(sumOf(days, 'visits')),
      failures: numbers.count(sumOf(days, 'failures')),
    })
    return {
      title: t('application-statistics.title'),
      summary,
      labelName: t('overview.date'),
      labels: days.map(({ day }) => numbers.day(day)),
      series: [
        { name: t('overview.visits'), kind: 'area', tone: 'primary', values: days.map(({ visits }) => visits) },
        {
          name: t('application-statistics.campus-visits'),
          kind: 'former',
          tone: 'muted',
          values: days.map(({ campusVisits }) => campusVisits),
        },
        { name: t('overview.people'), kind: 'line', tone: 'well', values: days.map(({ people }) => people) },
        { name: t('overview.failures'), kind: 'bar', tone: 'danger', values: days.map(({ failures }) => failures) },
      ],
      format: numbers.count,
    }
  }, [all, i18n.language])
}
