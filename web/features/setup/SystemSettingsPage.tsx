import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { AddressesPanel } from './AddressesPanel.tsx'
import { MailPanel, SmsPanel } from './GatewayPanels.tsx'
import { InstitutionPanel } from './InstitutionPanel.tsx'
import './setup.css'
import './system-settings.css'
import '../../ui/form-card.css'

/** The settings documents that this page changes. */
const DOCUMENTS = ['gateway', 'mail', 'sms', 'getStarted'] as const
type DocumentName = (typeof DOCUMENTS)[number]

type Props = {
  /** The change history of one document. */
  history: (name: DocumentName) => ReactNode
  getStarted: ReactNode
}

/** The settings of the set-up, which can be changed at any time. */
export function SystemSettingsPage({ history, getStarted }: Props) {
  const { t } = useTranslation()
  const tabs = [
    { key: 'institution', label: t('setup.step.institution'), render: () => <InstitutionPanel /> },
    { key: 'mail', label: t('setup.step.mail'), render: () => <MailPanel /> },
    { key: 'sms', label: t('setup.step.sms'), render: () => <SmsPanel /> },
    { key: 'addresses', label: t('system-settings.addresses'), render: () => <AddressesPanel /> },
    { key: 'start', label: t('get-started.title'), render: () => getStarted },
    { key: 'history', label: t('login-config.tab.history'), render: () => <History history={history} /> },
  ]
  return (
    <section className="system-settings" aria-labelledby="page-title">
      <header>
        <PageTitle>{t('system-settings.title')}</PageTitle>
        <p className="muted">{t('system-settings.explain')}</p>
      </header>
      <div className="card system-settings-body">
        <Tabs label={t('system-settings.tabs')} tabs={tabs} param="tab" />
      </div>
    </section>
  )
}

function History({ history }: Pick<Props, 'history'>) {
  const { t } = useTranslation()
  const [name, setName] = useState<DocumentName>('gateway')
  return (
    <div className="settings-history">
      <SelectField
        label={t('system-settings.history-of')}
        value={name}
        options={DOCUMENTS.map((value) => ({ value, label: t(`settings-document.${value}`) }))}
        onChange={(chosen) => chosen && setName(chosen)}
      />
      <div key={name}>{history(name)}</div>
    </div>
  )
}
