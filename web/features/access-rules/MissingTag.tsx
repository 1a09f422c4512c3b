import { useTranslation } from 'react-i18next'
import type { AccessRule } from '#shared/contract/access-rules.ts'

/** Something that the rule names is deleted or switched off. */
export function MissingTag({ rule }: { rule: Pick<AccessRule, 'missing'> }) {
  const { t } = useTranslation()
  if (rule.missing === 0) return null
  return <span className="tag tag-caution">{t('access-rule.missing', { count: rule.missing })}</span>
}
