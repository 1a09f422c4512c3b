import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CorporateMailbox } from '#shared/contract/corporate-mailbox.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useSettingsDraft } from '../../ui/use-settings-draft.ts'
import { AddressPreview } from './AddressPreview.tsx'
import { AddressRules } from './AddressRules.tsx'
import {
  checkMailboxes,
  isComplete,
  loadMailboxes,
  type MailboxDraft,
  saveMailboxes,
  toDraft,
} from './mailbox-draft.ts'
import { ProviderFields } from './ProviderFields.tsx'
import './corporate-mailbox.css'

type Slots = {
  history: ReactNode
  /** Creates and disables mailboxes by runs. */
  provisioning: ReactNode
  /** Runs the check on these values, and shows its steps. */
  checkPanel: (panel: { vendor: string; isReady: boolean; check: () => ReturnType<typeof checkMailboxes> }) => ReactNode
}

/** The mail provider, the address rules, and a check. */
export function MailboxPage({ history, provisioning, checkPanel }: Slots) {
  const { t } = useTranslation()
  const title = t('corporate-mailbox.title')
  const tabs = [
    { key: 'settings', label: t('vendor.tab.settings'), render: () => <Settings checkPanel={checkPanel} /> },
    { key: 'provisioning', label: t('mailbox-sync.tab'), render: () => provisioning },
    { key: 'history', label: t('vendor.tab.history'), render: () => history },
  ]
  return (
    <section className="vendor-page" aria-labelledby="page-title">
      <header>
        <PageTitle>{title}</PageTitle>
        <p className="muted">{t('corporate-mailbox.explain')}</p>
      </header>
      <div className="card vendor-body">
        <Tabs label={title} tabs={tabs} param="tab" />
      </div>
    </section>
  )
}

function Settings({ checkPanel }: Pick<Slots, 'checkPanel'>) {
  const { t } = useTranslation()
  const settings = useSettingsDraft<CorporateMailbox, MailboxDraft>({
    queryKey: ['corporate-mailbox'],
    load: loadMailboxes,
    toValue: toDraft,
    save: saveMailboxes,
    alsoChanges: [['own-home-page'], ['directory-syncs', 'mailboxes']],
  })
  const labels = {
    enabled: t('mailbox-field.enabled'),
    driver: t('mailbox-field.driver'),
    settings: t('vendor.settings'),
    rules: t('mailbox-field.rules'),
  }
  return (
    <div className="settings-panel">
      <SettingsPanel {...settings} labels={labels}>
        {({ value, change }, error) => (
          <>
            <ProviderFields
              draft={value}
              secretNeeded={isRefusal(error, 'settings.secret-needed') ? error.message : undefined}
              onChange={change}
            />
            <AddressRules rules={value.rules} onChange={(rules) => change({ ...value, rules })} />
            <AddressPreview draft={value} />
            {checkPanel({
              vendor: value.driver,
              isReady: isComplete(value),
              check: () => checkMailboxes(value),
            })}
            <Switch
              label={labels.enabled}
              checked={value.enabled}
              onChange={(enabled) => change({ ...value, enabled })}
            />
          </>
        )}
      </SettingsPanel>
    </div>
  )
}
