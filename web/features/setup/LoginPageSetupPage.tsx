import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import {
  type LoginPageSettings,
  loginPageConfig,
  type StoredLoginPage,
  updateLoginPageConfig,
} from '#shared/contract/login-page.ts'
import { call } from '../../platform/api.ts'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { PreviewFrame, usePreview } from '../../ui/PreviewFrame.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useSettingsDraft } from '../../ui/use-settings-draft.ts'
import { LoginPageFields } from './LoginPageFields.tsx'
import '../../ui/form-card.css'
import './login-page-setup.css'

const changesOf = (before: LoginPageSettings, now: LoginPageSettings): Partial<LoginPageSettings> =>
  Object.fromEntries(
    Object.entries(now).filter(
      ([key, value]) => JSON.stringify(before[key as keyof LoginPageSettings]) !== JSON.stringify(value),
    ),
  )

/** How the login page is laid out, beside the real page. */
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
    firstWay: t('audit-field.firstWay'),
    languages: t('audit-field.languages'),
    links: t('audit-field.links'),
    icp: t('audit-field.icp'),
    publicSecurity: t('audit-field.publicSecurity'),
  }
  return (
    <SettingsPanel {...settings} labels={labels}>
      {({ value, change, stored: { setByFile } }) => (
        <div className="login-page-columns">
          <div>
            <LoginPageFields value={value} setByFile={setByFile} onChange={change} />
          </div>
          <LayoutPreview value={value} />
        </div>
      )}
    </SettingsPanel>
  )
}

const SIZES = ['desktop', 'phone'] as const

function LayoutPreview({ value }: { value: LoginPageSettings }) {
  const { t, i18n } = useTranslation()
  const [size, setSize] = useState<(typeof SIZES)[number]>('desktop')
  const preview = usePreview({ loginPage: { ...value, links: value.links.filter(isWhole) } })
  return (
    <section className="login-page-preview" aria-label={t('login-topic.preview')}>
      <SelectField
        label={t('preview.size')}
        value={size}
        options={SIZES.map((one) => ({ value: one, label: t(`preview.size.${one}`) }))}
        onChange={(chosen) => chosen && setSize(chosen)}
      />
      <PreviewFrame
        preview={preview}
        page="login"
        title={t('preview.frame', { page: t('preview.page.login') })}
        language={i18n.language as Language}
        size={size}
      />
      <p className="muted">{t('preview.explain')}</p>
    </section>
  )
}

/** One that is being typed is no link yet. */
const isWhole = ({ texts, url }: LoginPageSettings['links'][number]): boolean =>
  URL.canParse(url) && /^https?:/.test(url) && Object.keys(texts).length > 0
