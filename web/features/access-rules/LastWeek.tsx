import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type AccessRule, countRuleOutcomes } from '#shared/contract/access-rules.ts'
import { call } from '../../platform/api.ts'
import { useCount } from '../../platform/format-number.ts'
import { OUTCOMES_KEY } from './rule-queries.ts'

/** How often a rule took effect, or would have; opens the list of those logins. */
export function LastWeek({ rule: { id, shownName: name } }: { rule: AccessRule }) {
  const { t } = useTranslation()
  const number = useCount()
  const { data, isError } = useQuery({
    queryKey: [OUTCOMES_KEY, 'counts'],
    queryFn: ({ signal }) => call(countRuleOutcomes, {}, { signal, background: true }),
  })
  if (isError) return <span className="muted">{t('access-rule.last-week.failed')}</span>
  if (!data) return null
  const { did = 0, would = 0 } = data.rules.find(({ rule }) => rule === id) ?? {}
  if (did + would === 0) return <span className="muted">—</span>
  const shown = (count: number) => number(count, !data.isComplete)
  const words = [
    did > 0 && t('access-rule.last-week.did', { count: did, shown: shown(did) }),
    would > 0 && t('access-rule.last-week.would', { count: would, shown: shown(would) }),
  ].filter((one) => one !== false)
  return (
    <Link
      to="/manage/net-strategy"
      search={{ tab: 'outcomes', rule: id } as never}
      className="tabular"
      aria-label={`${t('access-rule.last-week.of', { name })}: ${words.join(t('list.separator'))}`}
    >
      {words.map((one) => (
        <span key={one} className="rule-count">
          {one}
        </span>
      ))}
    </Link>
  )
}
