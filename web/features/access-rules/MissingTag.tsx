import { useTranslation } from 'react-i18next'
import type { AccessRule } from '#shared/contract/access-rules.ts'

/** The rule refers to something deleted or disabled. */
export function MissingTag({ rule }: { rule: Pick<AccessRule, 'missing'> }) {
  const { t } = useTranslation()
  if (rule.missing === 0) return null
  return <span className="tag tag-caution">{t('access-rule.missing', { count: rule.missing })}</span>
}
