import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type LoginPageSettings,
  loginPageConfig,
  type StoredLoginPage,
  updateLoginPageConfig,
} from '#shared/contract/login-page.ts'
import { call } from '../../platform/api.ts'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { loginPageText } from '../../ui/page-texts.ts'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useSettingsDraft } from '../../ui/use-settings-draft.ts'
import { LayoutPreview } from './LayoutPreview.tsx'
import { LoginPageFields } from './LoginPageFields.tsx'
import { changesOf, isWholeLink } from './page-changes.ts'
import './login-page-setup.css'

/** The layout of the login page, next to the real page. */
export function LoginPageSetupPage({ history }: { history: ReactNode }) {
  const { t } = useTranslation()
  const tabs = [
    { key: 'layout', label: t('login-page-setup.tab'), render: () => <Layout /> },
    { key: 'history', label: t('login-config.tab.history'), render: () => history },
  ]
  return (
    <section className="login-page-setup" aria-labelledby={PAGE_TITLE}>
      <header>
        <PageTitle>{t('login-page-setup.title')}</PageTitle>
        <p className="muted">{t('login-page-setup.explain')}</p>
        <p className="form-actions">
          <Link to="/manage/login-topic" className="page-link">
            {t('login-page-setup.colours')}
          </Link>
          <Link to="/manage/system-settings" className="page-link">
            {t('login-page-setup.institution')}
          </Link>
          <Link to="/manage/tip-edit/account-login" className="page-link">
            {t('login-page-setup.texts')}
          </Link>
        </p>
      </header>
      <div className="card login-page-setup-body">
        <Tabs label={t('login-page-setup.parts')} tabs={tabs} param="tab" />
      </div>
    </section>
  )
}

function Layout() {
  const { t } = useTranslation()
  const settings = useSettingsDraft<StoredLoginPage, LoginPageSettings>({
    queryKey: ['login-page'],
    load: (signal) => call(loginPageConfig, { body: {} }, { signal }),
    toValue: ({ values }) => values,
    save: (stored, value) =>
      call(updateLoginPageConfig, { body: { version: stored.version, changes: changesOf(stored.values, value) } }),
  })
  const labels = {
    layout: t('audit-field.layout'),
    slogan: t('audit-field.slogan'),
    defaultMethod: t('audit-field.defaultMethod'),
    blocks: t('audit-field.blocks'),
    hidden: t('audit-field.hidden'),
    qrFirst: t('audit-field.qrFirst'),
    languages: t('audit-field.languages'),
    links: t('audit-field.links'),
    icp: t('audit-field.icp'),
    publicSecurity: t('audit-field.publicSecurity'),
  }
  return (
    <SettingsPanel {...settings} labels={labels} show={(field, value) => loginPageText(t, field, value)}>
      {({ value, change, stored: { setByFile } }) => (
        <div className="login-page-columns">
          <div>
            <LoginPageFields value={value} setByFile={setByFile} onChange={change} />
          </div>
          <LayoutPreview page="login" draft={{ loginPage: { ...value, links: value.links.filter(isWholeLink) } }} />
        </div>
      )}
    </SettingsPanel>
  )
}
