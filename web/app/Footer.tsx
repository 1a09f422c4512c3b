import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { gatewayQuery } from '../platform/queries.ts'

/** Help is in the same place on every page (WCAG 3.2.6); parts that the institution did not configure are omitted. */
export function Footer() {
  const { t } = useTranslation()
  const { data: gateway } = useQuery(gatewayQuery())
  if (!gateway) return null
  const { contact, privacyUrl, helpUrl } = gateway
  if (!contact && !privacyUrl && !helpUrl) return null
  return (
    <footer className="foot">
      {contact && <span>{t('shell.contact', { contact })}</span>}
      {helpUrl && <a href={helpUrl}>{t('shell.help')}</a>}
      {privacyUrl && <a href={privacyUrl}>{t('shell.privacy')}</a>}
    </footer>
  )
}
