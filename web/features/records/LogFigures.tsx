import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type LogFigures as Figures,
  type loginFigures,
  PORTAL,
  type visitFigures,
} from '#shared/contract/log-centre.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { formatDateTime, formatDayAndHour } from '../../platform/format-time.ts'
import { authTypeName } from '../../ui/auth-type-name.ts'
import { Chart } from '../../ui/Chart.tsx'
import type { ChartProps } from '../../ui/chart.types.ts'
import { formatDay, formatLimit } from '../../ui/list-filter.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { type LogKind, reasonName, resultKeys } from './log-columns.tsx'
import { LogValue, type Narrow } from './log-pivots.tsx'

/** The default period. */
const USUAL_DAYS = 30

type Props = {
  kind: LogKind
  endpoint: typeof loginFigures | typeof visitFigures
  /** The filters as the call takes them. */
  listed: Record<string, string>
  narrow: Narrow
  /** The first and last day of a period, or its times. */
  onPeriod: (from: string, to: string) => void
}

/** The number of records over time and by value; selecting part of the timeline sets the period. */
export function LogFigures(props: Props) {
  const { endpoint, listed } = props
  const { i18n } = useTranslation()
  const asked = listed['from'] || listed['to'] ? listed : { ...listed, from: startOfUsual() }
  const query = useQuery({
    queryKey: [endpoint.path, asked, i18n.language],
    queryFn: ({ signal }) => call(endpoint, { query: asked as never }, { signal }) as Promise<Figures>,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  if (query.isError && !query.data) return <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton lines={4} />
  return (
    <>
      <TimeLine {...props} found={query.data} />
      <Facets {...props} found={query.data} />
    </>
  )
}

function startOfUsual(): string {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - USUAL_DAYS + 1).toISOString()
}

type FoundProps = Props & { found: Figures }

function TimeLine({ kind, found, onPeriod }: FoundProps) {
  const { t, i18n } = useTranslation()
  const chart = useTimeLine(kind, found, onPeriod)
  const notes = [
    found.partsSince && t('log.counted-since', { time: formatDateTime(new Date(found.partsSince), i18n.language) }),
    found.countedUntil && t('log.counted-until', { time: formatDateTime(new Date(found.countedUntil), i18n.language) }),
  ].filter(Boolean)
  return (
    <div className="log-time-line">
      <Chart {...chart} />
      {notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
    </div>
  )
}

/** The label of a part of the timeline: a day, or an hour of a day. */
function useLabels({ from, to, partMs }: Figures): string[] {
  const { i18n } = useTranslation()
  const begin = Date.parse(from)
  const count = Math.ceil((Date.parse(to) - begin) / partMs)
  return Array.from({ length: count }, (_, at) =>
    formatDayAndHour(new Date(begin + at * partMs), i18n.language, partMs < DAY_MS),
  )
}

function useTimeLine(kind: LogKind, found: Figures, onPeriod: Props['onPeriod']): ChartProps {
  const { t, i18n } = useTranslation()
  const format = useCount()
  const labels = useLabels(found)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language decides what t and the numbers say.
  return useMemo(() => {
    const { parts, from, partMs } = found
    const byPart = new Map(parts.map((part) => [part.at, part]))
    const values = (name: 'succeeded' | 'refused') => labels.map((_, at) => byPart.get(at)?.[name] ?? 0)
    const sum = (name: 'succeeded' | 'refused') => values(name).reduce((all, one) => all + one, 0)
    return {
      title: t('log.time-line'),
      summary: t(`log.time-line.summary-${kind}`, {
        count: sum('succeeded'),
        succeeded: format(sum('succeeded')),
        refused: format(sum('refused')),
      }),
      labelName: t('records.time'),
      labels,
      series: [
        {
          name: t(resultKeys(kind).well),
          kind: 'bar',
          tone: 'primary',
          values: values('succeeded'),
        },
        { name: t(resultKeys(kind).failed), kind: 'bar', tone: 'danger', values: values('refused') },
      ],
      format,
      isStacked: true,
      onRange: (first, last) =>
        onPeriod(...periodWords(Date.parse(from) + first * partMs, Date.parse(from) + (last + 1) * partMs)),
    }
  }, [found, i18n.language])
}

/** As filters: days if it is made of whole days, the last one included; else times. */
function periodWords(begin: number, end: number): [string, string] {
  const [from, to] = [new Date(begin), new Date(end)]
  const isMidnight = (time: Date) => time.getHours() === 0 && time.getMinutes() === 0
  if (isMidnight(from) && isMidnight(to)) return [formatDay(from), formatDay(new Date(end - 1))]
  return [formatLimit(from), formatLimit(to)]
}

const TITLES = {
  reason: 'records.reason',
  applicationId: 'records.application',
  authType: 'records.auth-type',
  entry: 'records.entry',
  ipRange: 'log.range',
  clientType: 'records.client-type',
  onCampus: 'records.place',
} as const

/** The most frequent values. */
function Facets({ kind, found, listed, narrow }: FoundProps) {
  const { t, i18n } = useTranslation()
  const format = useCount()
  const word = useFacetWords(kind)
  const facets = found.facets.filter(({ values }) => values.length > 0)
  if (facets.length === 0) return null
  const since = found.facetsSince && formatDateTime(new Date(found.facetsSince), i18n.language)
  return (
    <details className="log-facets">
      <summary>{t('log.facets')}</summary>
      {since && <p className="muted">{t('log.counted-since', { time: since })}</p>}
      <div className="log-facet-grid">
        {facets.map(({ name, values, more }) => (
          <section key={name} aria-label={t(TITLES[name as keyof typeof TITLES])}>
            <h3>{t(TITLES[name as keyof typeof TITLES])}</h3>
            <ul>
              {values.map((one) => (
                <li key={one.value}>
                  <LogValue name={name} value={one.value} label={word(name, one)} onPick={narrow}>
                    {word(name, one)}
                  </LogValue>
                  <span className="log-facet-count">
                    {format(one.succeeded + one.refused)}
                    {one.refused > 0 && name !== 'reason' && listed['result'] !== '0' && (
                      <span className="muted"> {t('log.of-them-refused', { number: format(one.refused) })}</span>
                    )}
                  </span>
                </li>
              ))}
            </ul>
            {more > 0 && <p className="muted">{t('log.more-values', { count: more })}</p>}
          </section>
        ))}
      </div>
    </details>
  )
}

function useFacetWords(kind: LogKind) {
  const { t } = useTranslation()
  const words: Record<string, (value: string) => string> = {
    reason: (value) => reasonName(kind, value),
    applicationId: (value) => t(value === PORTAL ? 'records.portal' : 'records.application-gone'),
    authType: authTypeName,
    entry: (value) => t(`records.entry.${value as 'portal'}`),
    clientType: (value) => t(`client-type.${value as 'pc'}`),
    onCampus: (value) => t(value === '1' ? 'place.on-campus' : 'place.off-campus'),
  }
  return (name: string, { value, label }: { value: string; label: string | null }): string =>
    label ?? words[name]?.(value) ?? value
}
