import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsSuperUser } from '../../platform/session.ts'
import { PAGE_TITLE, PageTitle } from '../../ui/PageTitle.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { InsightList } from './InsightList.tsx'
import { InsightSettings } from './InsightSettings.tsx'
import './log-insights.css'

/** Insights of the logs; super users also set the thresholds. */
export function LogInsightsPage({ history }: { history: ReactNode }) {
  const { t } = useTranslation()
  const tabs = [
    { key: 'found', label: t('log-insight.tab.found'), render: () => <InsightList /> },
    { key: 'settings', label: t('log-insight.tab.settings'), render: () => <InsightSettings /> },
    { key: 'history', label: t('log-insight.tab.history'), render: () => history },
  ]
  return (
    <section className="insight-page" aria-labelledby={PAGE_TITLE}>
      <header>
        <PageTitle>{t('log-insights.title')}</PageTitle>
        <p className="muted">{t('log-insights.explain')}</p>
      </header>
      <div className="card insight-body">
        {useIsSuperUser() ? <Tabs label={t('log-insights.title')} tabs={tabs} param="tab" isPage /> : <InsightList />}
      </div>
    </section>
  )
}
