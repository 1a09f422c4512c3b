import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ChannelsTab } from './ChannelsTab.tsx'
import { RoutesTab } from './RoutesTab.tsx'
import './message-routes.css'

/** Message routing, the state of the channels, and what was sent. */
export function MessagePage({ history, gatewayHistory }: { history: ReactNode; gatewayHistory: ReactNode }) {
  const { t } = useTranslation()
  const tabs = [
    { key: 'routes', label: t('message-route.tab.routes'), render: () => <RoutesTab /> },
    { key: 'channels', label: t('message-route.tab.channels'), render: () => <ChannelsTab /> },
    {
      key: 'history',
      label: t('message-route.tab.history'),
      render: () => (
        <>
          {history}
          <h2>{t('settings-document.messageGateway')}</h2>
          {gatewayHistory}
        </>
      ),
    },
  ]
  return (
    <section className="message-page" aria-labelledby="page-title">
      <header>
        <PageTitle>{t('message-route.title')}</PageTitle>
        <p className="muted">{t('message-route.explain')}</p>
      </header>
      <div className="card message-body">
        <Tabs label={t('message-route.title')} tabs={tabs} param="tab" isPage />
      </div>
    </section>
  )
}
