import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Overview } from '#shared/contract/overview.ts'
import { Chart } from '../../ui/Chart.tsx'
import type { ChartProps } from '../../ui/chart.types.ts'
import { Panel } from './Panel.tsx'
import { useNumbers } from './use-numbers.ts'

type Props = { day: Overview }

/** Logins per hour, with yesterday's. */
export function DayChart({ day }: Props) {
  const { t } = useTranslation()
  return (
    <Panel title={t('overview.day')} isWide>
      <Chart {...useDay(day)} />
    </Panel>
  )
}

function useDay({ hours, timeZone, trend }: Overview): ChartProps {
  const { t, i18n } = useTranslation()
  const numbers = useNumbers()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language decides what t and the numbers say.
  return useMemo(() => {
    const labels = hours.yesterday.map(({ hour }) => numbers.hour(hour, timeZone))
    const today = (value: (row: Overview['hours']['today'][number]) => number) =>
      labels.map((_, at) => {
        const row = hours.today[at]
        return row ? value(row) : null
      })
    const peak = hours.today.reduce((most, row) => (row.logins > most.logins ? row : most), { hour: '', logins: 0 })
    const summary = t('overview.day.summary', {
      logins: numbers.count(trend.at(-1)?.logins ?? 0),
      failures: numbers.count(trend.at(-1)?.failures ?? 0),
      yesterday: numbers.count(trend.at(-2)?.logins ?? 0),
    })
    const most = peak.hour
      ? t('overview.day.peak', { hour: numbers.hour(peak.hour, timeZone), number: numbers.count(peak.logins) })
      : ''
    return {
      title: t('overview.day'),
      summary: `${summary} ${most}`.trim(),
      labelName: t('overview.hour'),
      labels,
      series: [
        // Bars: on a line the current hour would look like a drop.
        { name: t('overview.today'), kind: 'bar', tone: 'primary', values: today(({ logins }) => logins) },
        {
          name: t('overview.yesterday'),
          kind: 'former',
          tone: 'muted',
          values: hours.yesterday.map(({ logins }) => logins),
        },
        { name: t('overview.failures'), kind: 'bar', tone: 'danger', values: today(({ failures }) => failures) },
      ],
      format: numbers.count,
    }
  }, [hours, timeZone, trend, i18n.language])
}

/** The last 30 days. */
export function TrendChart({ day }: Props) {
  const { t } = useTranslation()
  return (
    <Panel title={t('overview.trend')} isWide>
      <Chart {...useTrend(day)} />
    </Panel>
  )
}

/** Whole days only: today would look like a drop. */
function useTrend({ trend: days }: Overview): ChartProps {
  const { t, i18n } = useTranslation()
  const numbers = useNumbers()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language decides what t and the numbers say.
  return useMemo(() => {
    const trend = days.slice(0, -1)
    const logins = trend.reduce((sum, one) => sum + one.logins, 0)
    const failures = trend.reduce((sum, one) => sum + one.failures, 0)
    return {
      title: t('overview.trend'),
      summary: t('overview.trend.summary', { logins: numbers.count(logins), failures: numbers.count(failures) }),
      labelName: t('overview.date'),
      labels: trend.map(({ day }) => numbers.day(day)),
      series: [
        { name: t('overview.logins'), kind: 'area', tone: 'primary', values: trend.map((one) => one.logins) },
        { name: t('overview.people'), kind: 'line', tone: 'well', values: trend.map(({ people }) => people) },
        { name: t('overview.failures'), kind: 'bar', tone: 'danger', values: trend.map((one) => one.failures) },
      ],
      format: numbers.count,
    }
  }, [days, i18n.language])
}
