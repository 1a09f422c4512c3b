import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { managePageConfig } from '#shared/contract/appearance.ts'
import { type HomePageSettings, type StoredHomePage, updateManagePageConfig } from '#shared/contract/home-page.ts'
import { call } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { homePageText } from '../../ui/page-texts.ts'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useSettingsDraft } from '../../ui/use-settings-draft.ts'
import { HomePageFields } from './HomePageFields.tsx'
import { LayoutPreview } from './LayoutPreview.tsx'
import { changesOf, isWholeLink, isWholeSlide } from './page-changes.ts'
import './login-page-setup.css'

/** The layout of "My applications", next to the real page. */
export function HomePageSettingsPage({ announcements, history }: { announcements: ReactNode; history: ReactNode }) {
  const { t } = useTranslation()
  const tabs = [
    { key: 'layout', label: t('login-page-setup.tab'), render: () => <Arrangement /> },
    { key: 'announcements', label: t('announcement.title'), render: () => announcements },
    { key: 'history', label: t('login-config.tab.history'), render: () => history },
  ]
  return (
    <section className="login-page-setup" aria-labelledby={PAGE_TITLE}>
      <header>
        <PageTitle>{t('home-page-settings.title')}</PageTitle>
        <p className="muted">{t('home-page-settings.explain')}</p>
      </header>
      <div className="card login-page-setup-body">
        <Tabs label={t('home-page-settings.parts')} tabs={tabs} param="tab" />
      </div>
    </section>
  )
}

/** Leaves out incomplete entries. */
const wholePartsOf = (value: HomePageSettings): HomePageSettings => ({
  ...value,
  links: value.links.filter(isWholeLink),
  carousel: value.carousel.filter(isWholeSlide),
})

async function save(stored: StoredHomePage, value: HomePageSettings): Promise<StoredHomePage> {
  const changes = changesOf(stored.values, value)
  const saved = await call(updateManagePageConfig, { body: { version: stored.version, changes } })
  // The editor's own home page changes too.
  void queryClient.invalidateQueries({ queryKey: ['gateway'] })
  void queryClient.invalidateQueries({ queryKey: ['own-home-page'] })
  return saved
}

function Arrangement() {
  const { t } = useTranslation()
  const settings = useSettingsDraft<StoredHomePage, HomePageSettings>({
    queryKey: ['home-page'],
    load: async (signal) => (await call(managePageConfig, {}, { signal })).homePage,
    toValue: ({ values }) => values,
    save,
  })
  const labels = {
    welcome: t('audit-field.welcome'),
    searchField: t('audit-field.searchField'),
    blocks: t('audit-field.blocks'),
    hidden: t('audit-field.hidden'),
    audiences: t('audit-field.audiences'),
    carousel: t('audit-field.carousel'),
    links: t('audit-field.links'),
  }
  return (
    <SettingsPanel {...settings} labels={labels} show={(field, value) => homePageText(t, field, value)}>
      {({ value, change, stored: { setByFile } }) => (
        <div className="login-page-columns">
          <div>
            <HomePageFields value={value} setByFile={setByFile} onChange={change} />
          </div>
          <LayoutPreview page="my-apps" draft={{ homePage: wholePartsOf(value) }} />
        </div>
      )}
    </SettingsPanel>
  )
}
