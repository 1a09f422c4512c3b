import { useTranslation } from 'react-i18next'
import { GrantList } from './GrantList.tsx'

/** Every grant that the reader may see; a filter shows those that expire soon. */
export function ApplicationGrantsPage() {
  const { t } = useTranslation()
  return <GrantList title={t('grant.title')} explain={t('grant.explain')} />
}
