import { useTranslation } from 'react-i18next'
import type { RuleMode } from '#shared/contract/access-rules.ts'

const TONES: Readonly<Record<RuleMode, string>> = { off: 'tag tag-plain', report: 'tag', on: 'tag tag-well' }

export function ModeTag({ mode }: { mode: RuleMode }) {
  const { t } = useTranslation()
  return <span className={TONES[mode]}>{t(`access-rule.mode.${mode}`)}</span>
}
