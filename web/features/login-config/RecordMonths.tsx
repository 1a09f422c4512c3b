import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { RECORD_KINDS, type RecordRetention, recordRetention } from '#shared/contract/record-retention.ts'
import { call } from '../../platform/api.ts'
import { formatMonth } from '../../platform/format-time.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { Time } from '../../ui/Time.tsx'
import '../../ui/stacked-rows.css'
import './record-months.css'

/** The number of records of each month, and the results of the nightly deletion. */
export function RecordMonths() {
  const { t, i18n } = useTranslation()
  const query = useQuery({
    queryKey: ['record-retention'],
    queryFn: ({ signal }) => call(recordRetention, {}, { signal }),
  })
  if (query.isError) return <FailedBlock error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton lines={4} />
  const { lastRun, nextRun, dropped, isArchived, archiveProblem } = query.data
  return (
    <div className="record-months">
      <p className="muted">
        {lastRun ? (
          <>
            {t('record-retention.last-run')} <Time value={lastRun.at} /> ·{' '}
            {t(`record-retention.result.${lastRun.result}`)}
          </>
        ) : (
          t('record-retention.never-run')
        )}
        <br />
        {t('record-retention.next-run')} <Time value={nextRun} />
        <br />
        {t(isArchived ? 'record-retention.archived' : 'record-retention.not-archived')}
      </p>
      {archiveProblem && (
        <p className="banner banner-caution">{t('record-retention.archive-away', { code: archiveProblem })}</p>
      )}
      {dropped.length > 0 && (
        <details>
          <summary>{t('record-retention.dropped', { count: dropped.length })}</summary>
          <ul>
            {dropped.map(({ month, kind, rows, at, archive }) => (
              <li key={`${month} ${kind}`}>
                <Time value={at} /> · {t(`record-retention.kind.${kind}`)} {formatMonth(month, i18n.language)} ·{' '}
                {t('record-retention.rows', { count: rows })}
                {archive && ` · ${archive}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      <MonthTable months={query.data.months} />
    </div>
  )
}

const MEGABYTE = 1024 * 1024

function MonthTable({ months }: Pick<RecordRetention, 'months'>) {
  const { t, i18n } = useTranslation()
  const numbers = new Intl.NumberFormat(i18n.language.replace('_', '-'), { maximumFractionDigits: 1 })
  if (months.length === 0) return <p className="muted">{t('record-retention.none')}</p>
  const byMonth = [...Map.groupBy(months, ({ month }) => month)]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section className="record-months-table" tabIndex={0} aria-label={t('record-retention.months')}>
      <table className="tabular stacked-rows">
        <caption>{t('record-retention.months')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('record-retention.month')}</th>
            {RECORD_KINDS.map((kind) => (
              <th key={kind} scope="col">
                {t(`record-retention.kind.${kind}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {byMonth.map(([month, parts]) => (
            <tr key={month}>
              <th scope="row">{formatMonth(month, i18n.language)}</th>
              {RECORD_KINDS.map((kind) => {
                const part = parts.find((one) => one.kind === kind)
                return (
                  <td key={kind} data-title={t(`record-retention.kind.${kind}`)}>
                    {part
                      ? `${numbers.format(part.rows)} · ${numbers.format(part.bytes / MEGABYTE)} MB`
                      : t('record-retention.nothing')}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
