import { useLight } from './light-page.tsx'

/** Whom to ask, in the same place on every page. */
export function LoginFooter() {
  const { surroundings, t } = useLight()
  const { contact, privacyUrl, helpUrl } = surroundings.school
  return (
    <footer className="foot">
      {contact && <span>{contact}</span>}
      {privacyUrl && <a href={privacyUrl}>{t('light.privacy')}</a>}
      {helpUrl && <a href={helpUrl}>{t('light.help')}</a>}
    </footer>
  )
}
