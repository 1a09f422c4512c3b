import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Vendor, VendorKey } from '#shared/contract/vendors.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { FixedReason } from '../../ui/fixed-field.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { SetByFile } from '../../ui/SetByFile.tsx'
import { SettingsPanel } from '../../ui/SettingsPanel.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useSettingsDraft } from '../../ui/use-settings-draft.ts'
import { CREATION_FIELDS } from './CreationFields.tsx'
import { RequestPreview } from './RequestPreview.tsx'
import { StoredSecret } from './StoredSecret.tsx'
import { TestedLoginResult } from './TestedLoginResult.tsx'
import { TestLoginPanel } from './TestLoginPanel.tsx'
import { VendorCheckPanel } from './VendorCheckPanel.tsx'
import { VendorForm } from './VendorForm.tsx'
import { VendorGuide } from './VendorGuide.tsx'
import { loadVendor, saveVendor, settingNames, toDraft, type VendorDraft } from './vendor-draft.ts'
import './vendors.css'

/** Login with one vendor: what to register there, what to copy from there, and a check. */
export function VendorPage({ vendor, history }: { vendor: VendorKey; history: ReactNode }) {
  const { t } = useTranslation()
  const name = t(`vendor.${vendor}`)
  const { test } = useSearch({ strict: false }) as { test?: string }
  const tabs = [
    { key: 'settings', label: t('vendor.tab.settings'), render: () => <VendorSettings key={vendor} vendor={vendor} /> },
    { key: 'history', label: t('vendor.tab.history'), render: () => history },
  ]
  return (
    <section className="vendor-page" aria-labelledby="page-title">
      <header>
        <PageTitle>{name}</PageTitle>
        {!test && (
          <p className="muted">
            {vendor === 'auth-edu' ? t('vendor.explain.auth-edu') : t('vendor.explain', { vendor: name })}
          </p>
        )}
      </header>
      <div className="card vendor-body">
        {test ? <TestedLoginResult vendor={vendor} code={test} /> : <Tabs label={name} tabs={tabs} param="tab" />}
      </div>
    </section>
  )
}

function VendorSettings({ vendor }: { vendor: VendorKey }) {
  const { t } = useTranslation()
  const id = useId()
  const settings = useSettingsDraft<Vendor, VendorDraft>({
    queryKey: ['vendor', vendor],
    load: (signal) => loadVendor(vendor, signal),
    toValue: (stored) => toDraft(vendor, stored),
    save: (stored, value) => saveVendor(vendor, stored, value),
  })
  const labels = Object.fromEntries(
    ['enabled', 'position', 'unbound', 'matchAccount', ...CREATION_FIELDS, ...settingNames(vendor)].map((name) => [
      name,
      t(`vendor-field.${name}` as never),
    ]),
  )
  return (
    <div className="settings-panel">
      <SettingsPanel {...settings} labels={labels}>
        {({ stored, value, change, settle }, error, setError) => (
          <>
            {stored.isSetByFile && <SetByFile id={id} />}
            <VendorGuide vendor={vendor} callbackUrl={stored.callbackUrl} />
            <fieldset className="vendor-fields">
              <FixedReason value={stored.isSetByFile ? id : undefined}>
                <VendorForm
                  vendor={vendor}
                  draft={value}
                  secretNeeded={isRefusal(error, 'settings.secret-needed') ? error.message : undefined}
                  onChange={change}
                />
              </FixedReason>
              <LostLinks stored={stored} draft={value} />
              {vendor === 'auth-edu' && <KeptLinks stored={stored} draft={value} />}
            </fieldset>
            {vendor === 'auth-edu' && <RequestPreview draft={value} callbackUrl={stored.callbackUrl} />}
            <VendorCheckPanel vendor={vendor} draft={value} onError={(fault) => setError(marked(fault))} />
            <TestLoginPanel vendor={vendor} draft={value} onError={(fault) => setError(marked(fault))} />
            <StoredSecret vendor={vendor} stored={stored} onRemoved={settle} />
          </>
        )}
      </SettingsPanel>
    </div>
  )
}

/** An error of a check, if it concerns fields: the check shows all others itself. */
const marked = (fault: unknown): unknown =>
  isRefusal(fault, 'request.invalid') || isRefusal(fault, 'settings.secret-needed') ? fault : undefined

/** Links belong to a corporation or application: after changing it, linked people are unknown. */
function LostLinks({ stored: { settings, knownBy }, draft }: { stored: Vendor; draft: VendorDraft }) {
  const { t } = useTranslation()
  const changed = Object.entries(knownBy).filter(([name]) => String(draft[name] ?? '').trim() !== settings?.[name])
  return (
    <div role="status">
      {changed.map(([name, count]) => (
        <p key={name} className="caution-note">
          {t('vendor.lost-links', { count, field: t(`vendor-field.${name}` as never) })}
        </p>
      ))}
    </div>
  )
}

/** The settings that an identity's realm is taken from. */
const REALM_FIELDS = ['realm', 'clientId'] as const
const ADDRESS_FIELDS = ['authorizeUrl', 'tokenUrl', 'userUrl'] as const

const written = (value: unknown): string => String(value ?? '').trim()
const hostOf = (address: unknown): string =>
  URL.canParse(written(address)) ? new URL(written(address)).host : written(address)

/** Links are kept while the realm is the same, although another platform's user IDs may be those of other people. */
function KeptLinks({ stored: { settings, knownBy }, draft }: { stored: Vendor; draft: VendorDraft }) {
  const { t } = useTranslation()
  const count = REALM_FIELDS.map((name) => knownBy[name] ?? 0).find((people) => people > 0)
  const isSameRealm = REALM_FIELDS.every((name) => written(draft[name]) === written(settings?.[name]))
  const isElsewhere = ADDRESS_FIELDS.some((name) => hostOf(draft[name]) !== hostOf(settings?.[name]))
  const places = { field: t('vendor-field.realm'), group: t('oauth2.group.rare') }
  return (
    <div role="status">
      {count !== undefined && isSameRealm && isElsewhere && (
        <p className="caution-note">{t('vendor.kept-links', { count, ...places })}</p>
      )}
    </div>
  )
}
