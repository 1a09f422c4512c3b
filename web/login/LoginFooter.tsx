import { Fragment, type ReactNode } from 'react'
import type { LoginBlock } from '#shared/contract/login-page.ts'
import { useLight } from './light-page.tsx'

/** Contact, in the same place on every page. */
export function LoginFooter() {
  const { surroundings, t } = useLight()
  const { setup } = surroundings
  const { contact, privacyUrl, helpUrl } = surroundings.school
  const parts: Partial<Record<LoginBlock, ReactNode>> = {
    links: setup.links.map(({ text, url }) => (
      <a key={url + text} href={url}>
        {text}
      </a>
    )),
    foot: (
      <>
        {contact && <span>{contact}</span>}
        {privacyUrl && <a href={privacyUrl}>{t('light.privacy')}</a>}
        {helpUrl && <a href={helpUrl}>{t('light.help')}</a>}
        {setup.filings.map(({ text, url }) => (
          <a key={url} href={url} lang="zh-CN" rel="noreferrer">
            {text}
          </a>
        ))}
      </>
    ),
  }
  return (
    <footer className="foot">
      {setup.blocks.map((block) => (
        <Fragment key={block}>{parts[block]}</Fragment>
      ))}
    </footer>
  )
}
