import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { dismissInsight, type LogInsight, reopenInsight } from '#shared/contract/log-insights.ts'
import { insightWords } from '#shared/rules/insight-words.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { formatDateTime } from '../../platform/format-time.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { queryClient } from '../../platform/queries.ts'
import { insightLink } from './insight-link.ts'

/** One sentence, its time, the records behind it, and whether somebody has reviewed it. */
export function InsightItem({ insight }: { insight: LogInsight }) {
  const { t, i18n } = useTranslation()
  const number = useCount()
  const sentenceId = useId()
  const { kind, firstAt, lastAt, records, dismissedAt, dismissedBy } = insight
  const time = (text: string) => formatDateTime(new Date(text), i18n.language)
  const [first, last] = [time(firstAt), time(lastAt)]
  const { to, search } = insightLink(insight)
  return (
    <li className="insight" data-dismissed={dismissedAt ? true : undefined}>
      <div className="insight-words">
        <span className="tag">{t(`log-insight.kind.${kind}`)}</span>
        <p id={sentenceId}>
          {t(
            `log-insight.said.${kind}`,
            insightWords(insight, (key) => t(key as never), number),
          )}
        </p>
        <p className="muted tabular">
          {first === last ? first : `${first} – ${last}`}
          {dismissedAt && ` · ${t('log-insight.dismissed-by', { name: dismissedBy ?? '—', time: time(dismissedAt) })}`}
        </p>
      </div>
      <span className="insight-verbs">
        <Link className="button" to={to} search={search as never} aria-describedby={sentenceId}>
          {records === undefined
            ? t('log-insight.open')
            : t('log-insight.open-records', { count: records, total: number(records) })}
        </Link>
        <DismissButton insight={insight} describedBy={sentenceId} />
      </span>
    </li>
  )
}

function DismissButton({ insight, describedBy }: { insight: LogInsight; describedBy: string }) {
  const { t } = useTranslation()
  const isOpen = insight.dismissedAt === null
  const query = { id: insight.id }
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(isOpen ? dismissInsight : reopenInsight, { query, body: {} }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['log-insights'] }),
    onError: notifyFailure,
  })
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-describedby={describedBy}
      aria-disabled={isPending || undefined}
      onClick={() => {
        if (!isPending) mutate()
      }}
    >
      {t(isOpen ? 'log-insight.dismiss' : 'log-insight.reopen')}
    </button>
  )
}
