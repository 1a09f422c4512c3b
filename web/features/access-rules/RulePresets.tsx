import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accessRules, type RuleOutcome, SETTINGS_RULES } from '#shared/contract/access-rules.ts'
import { call } from '../../platform/api.ts'
import { RuleSentence } from './RuleSentence.tsx'
import type { RulePreset } from './rule-draft.ts'
import { RULES_KEY } from './rule-queries.ts'
import type { RuleWords } from './rule-words.ts'

const NOTHING: RuleWords = {
  who: { administrators: false, names: [] },
  where: { place: 'inside', kinds: [], names: [] },
  when: { weekdays: [], from: null, to: null, zone: 'Asia/Shanghai' },
  applications: [],
}

const PRESETS: readonly { key: RulePreset; words: RuleWords; outcome: RuleOutcome }[] = [
  {
    key: 'administrators',
    words: { ...NOTHING, who: { administrators: true, names: [] } },
    outcome: 'second-factor',
  },
  {
    key: 'off-campus',
    words: { ...NOTHING, where: { place: 'outside', kinds: ['campus'], names: [] } },
    outcome: 'second-factor',
  },
  {
    key: 'blocked',
    words: { ...NOTHING, where: { place: 'inside', kinds: ['blocked'], names: [] } },
    outcome: 'refuse',
  },
]

/** Suggestions while there are no rules except those of the login configuration. */
export function RulePresets({ onChoose }: { onChoose: (preset: RulePreset) => void }) {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: [RULES_KEY, 'any'],
    queryFn: ({ signal }) => call(accessRules.list, { query: { pageSize: 10 } }, { signal }),
  })
  if (!data || data.total > Object.keys(SETTINGS_RULES).length) return null
  return (
    <section className="rule-presets" aria-labelledby="rule-presets">
      <h2 id="rule-presets">{t('access-rule.presets')}</h2>
      <p className="muted">{t('access-rule.presets.text')}</p>
      <ul>
        {PRESETS.map(({ key, words, outcome }) => (
          <li key={key}>
            <button type="button" className="rule-preset" onClick={() => onChoose(key)}>
              <strong>{t(`access-rule.preset.${key}`)}</strong>
              <span className="muted">
                <RuleSentence words={words} outcome={outcome} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
