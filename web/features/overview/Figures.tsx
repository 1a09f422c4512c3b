import { useTranslation } from 'react-i18next'
import type { Overview } from '#shared/contract/overview.ts'
import { useNumbers } from './use-numbers.ts'

/** The main figures. */
export function Figures({ day }: { day: Overview }) {
  const { t } = useTranslation()
  const { count, share } = useNumbers()
  const today = day.trend.at(-1)
  const yesterday = day.trend.at(-2)
  if (!today || !yesterday) return null
  const before = (value: number) => t('overview.yesterday-in-all', { number: count(value) })
  const tries = today.logins + today.failures
  return (
    <dl className="card overview-figures">
      <Figure name={t('overview.active')} value={count(day.active.people)}>
        {t('overview.active-logins', { count: day.active.logins, number: count(day.active.logins) })}
      </Figure>
      <Figure name={t('overview.logins-today')} value={count(today.logins)}>
        {before(yesterday.logins)}
      </Figure>
      <Figure name={t('overview.people-today')} value={count(today.people)}>
        {before(yesterday.people)}
      </Figure>
      <Figure name={t('overview.failures-today')} value={count(today.failures)}>
        {t('overview.failure-share', { share: share(today.failures, tries) })}
      </Figure>
      <Figure name={t('overview.visits-today')} value={count(today.visits)}>
        {before(yesterday.visits)}
      </Figure>
    </dl>
  )
}

function Figure({ name, value, children }: { name: string; value: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        <span className="muted">{children}</span>
      </dd>
    </div>
  )
}
