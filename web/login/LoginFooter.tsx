import { useLight } from './light-page.tsx'

/** Whom to ask, in the same place on every page. */
export function LoginFooter() {
  const { surroundings, t } = useLight()
  const { setup } = surroundings
  const { contact, privacyUrl, helpUrl } = surroundings.school
  return (
    <footer className="foot">
      {contact && <span>{contact}</span>}
      {privacyUrl && <a href={privacyUrl}>{t('light.privacy')}</a>}
      {setup.links.map(({ text, url }) => (
        <a key={url + text} href={url}>
          {text}
        </a>
      ))}
      {helpUrl && <a href={helpUrl}>{t('light.help')}</a>}
      {setup.filings.map(({ text, url }) => (
        <a key={url} href={url} lang="zh-CN" rel="noreferrer">
          {text}
        </a>
      ))}
    </footer>
  )
}
