import { useTranslation } from 'react-i18next'
import { GrantList } from './GrantList.tsx'

/** Every authorisation that the reader may see; those that end soon by one filter. */
export function ApplicationGrantsPage() {
  const { t } = useTranslation()
  return <GrantList title={t('grant.title')} explain={t('grant.explain')} />
}
