import { useTranslation } from 'react-i18next'
import type { AccessRule, RuleOutcome } from '#shared/contract/access-rules.ts'
import { conditionsText, outcomeText, type RuleWords, wordsOf } from './rule-words.ts'

/** A rule as a sentence: whom and what it applies to, and its effect. */
export function RuleSentence({ words, outcome }: { words: RuleWords; outcome: RuleOutcome }) {
  const { t, i18n } = useTranslation()
  return (
    <span className="rule-sentence">
      {conditionsText(t, i18n.language, words)} <span aria-hidden="true">→</span>{' '}
      <span className="visually-hidden">{t('access-rule.then')}</span> <OutcomeWord outcome={outcome} />
    </span>
  )
}

/** The effect of a rule; refusals stand out. */
export function OutcomeWord({ outcome }: { outcome: RuleOutcome }) {
  const { t } = useTranslation()
  return <strong className={outcome === 'refuse' ? 'rule-refuses' : undefined}>{outcomeText(t, outcome)}</strong>
}

export function SentenceOf({ rule }: { rule: AccessRule }) {
  const { t } = useTranslation()
  if (isUnused(rule)) return <span className="muted">{t('access-rule.unused')}</span>
  return <RuleSentence words={wordsOf(t, rule)} outcome={rule.outcome} />
}

/** An empty list in the login configuration means nobody, whereas in a rule it would mean everybody. */
const isUnused = ({ settingsKey, references }: AccessRule): boolean =>
  (settingsKey === 'secondFactorCategories' || settingsKey === 'secondFactorApplications') && references.length === 0
