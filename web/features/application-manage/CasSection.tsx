import { useTranslation } from 'react-i18next'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { AddressList } from './AddressList.tsx'
import { addressError } from './address-error.ts'
import { OptionField } from './OptionField.tsx'
import { SettingsSection } from './SettingsSection.tsx'
import { useAddressCheck } from './use-address-check.ts'
import type { ApplicationDraft } from './use-application-draft.ts'

type Props = { draft: ApplicationDraft }

/** The CAS settings of an application. */
export function CasSection({ draft }: Props) {
  const { t } = useTranslation()
  const { value, change } = draft
  const check = useAddressCheck({ id: value.id, addresses: value.serviceUrls })
  return (
    <>
      <SettingsSection name="services">
        <AddressList
          label={t('application-field.serviceUrls')}
          name="serviceUrls"
          kind="service"
          value={value.serviceUrls}
          overlaps={check?.overlaps ?? []}
          onChange={(serviceUrls) => change({ serviceUrls })}
        />
      </SettingsSection>
      <SettingsSection name="identity">
        <OptionField name="userAttribute" draft={draft} />
      </SettingsSection>
      <SettingsSection name="logout">
        <OptionField name="singleLogout" draft={draft} />
        <TextField
          label={t('application-field.logoutUrl')}
          name="logoutUrl"
          inputMode="url"
          value={value.logoutUrl ?? ''}
          hint={t('application-hint.logoutUrl')}
          error={addressError(t, 'exact', value.logoutUrl)}
          isOptional
          onChange={(logoutUrl) => change({ logoutUrl: logoutUrl.trim() || null })}
        />
      </SettingsSection>
      <SettingsSection name="proxy">
        <Switch label={t('application-field.proxy')} checked={value.proxy} onChange={(proxy) => change({ proxy })} />
        <AddressList
          label={t('application-field.proxyCallbackUrls')}
          name="proxyCallbackUrls"
          kind="service"
          value={value.proxyCallbackUrls}
          onChange={(proxyCallbackUrls) => change({ proxyCallbackUrls })}
        />
      </SettingsSection>
      <CompatibilitySection draft={draft} />
    </>
  )
}

const SWITCHES = ['attributesInCas2', 'validateUserLine', 'succeedWithoutPgt'] as const

function CompatibilitySection({ draft: { value, change } }: Props) {
  const { t } = useTranslation()
  const { casOptions } = value
  return (
    <SettingsSection name="compatibility">
      {SWITCHES.map((name) => (
        <Switch
          key={name}
          label={t(`cas-option.${name}`)}
          checked={casOptions[name]}
          onChange={(checked) => change({ casOptions: { ...casOptions, [name]: checked } })}
        />
      ))}
      <SelectField
        label={t('cas-option.proxyFailureJson')}
        name="casOptions.proxyFailureJson"
        value={casOptions.proxyFailureJson}
        options={(['proxyFailure', 'authenticationFailure'] as const).map((key) => ({ value: key, label: key }))}
        onChange={(key) => key && change({ casOptions: { ...casOptions, proxyFailureJson: key } })}
      />
    </SettingsSection>
  )
}
