import { useTranslation } from 'react-i18next'
import type { VendorKey } from '#shared/contract/vendors.ts'
import { SecretField } from '../../ui/SecretField.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { CreationFields } from './CreationFields.tsx'
import { OauthForm } from './OauthForm.tsx'
import type { VendorDraft } from './vendor-draft.ts'
import { type FlatVendor, KNOWS_ACCOUNTS, VENDOR_FIELDS, VENDOR_HOSTS, type VendorField } from './vendor-fields.ts'

type Props = {
  vendor: VendorKey
  draft: VendorDraft
  /** Why a stored secret has to be entered again. */
  secretNeeded: string | undefined
  onChange: (draft: VendorDraft) => void
}

/** The values from the vendor's console, and what happens to people who come from there. */
export function VendorForm({ vendor, draft, secretNeeded, onChange }: Props) {
  const { t } = useTranslation()
  const change = (name: string, value: string | boolean) => onChange({ ...draft, [name]: value } as VendorDraft)
  return (
    <>
      <h2>{t('vendor.settings')}</h2>
      {vendor === 'auth-edu' ? (
        <OauthForm
          draft={draft}
          secretNeeded={secretNeeded}
          onChange={(settings) => onChange({ ...draft, ...settings } as VendorDraft)}
        />
      ) : (
        <SettingFields vendor={vendor} draft={draft} secretNeeded={secretNeeded} onChange={change} />
      )}
      <h2>{t('vendor.use')}</h2>
      <Switch label={t('vendor-field.enabled')} checked={draft.enabled} onChange={(on) => change('enabled', on)} />
      <SelectField
        name="unbound"
        label={t('vendor-field.unbound')}
        value={draft.unbound}
        options={[
          { value: 'bind', label: t('vendor.unbound.bind') },
          { value: 'create', label: t('vendor.unbound.create') },
          { value: 'refuse', label: t('vendor.unbound.refuse') },
        ]}
        onChange={(value) => change('unbound', value)}
      />
      {draft.unbound === 'create' && <CreationFields draft={draft} onChange={onChange} />}
      {KNOWS_ACCOUNTS.includes(vendor) && (
        <Switch
          label={t('vendor-field.matchAccount')}
          hint={t('vendor.match-account.hint')}
          checked={draft.matchAccount}
          onChange={(on) => change('matchAccount', on)}
        />
      )}
      <TextField
        name="position"
        label={t('vendor-field.position')}
        hint={t('vendor.position.hint')}
        value={draft.position}
        inputMode="numeric"
        maxLength={3}
        onChange={(value) => change('position', value)}
      />
    </>
  )
}

type SettingsProps = {
  vendor: FlatVendor
  draft: VendorDraft
  secretNeeded: string | undefined
  onChange: (name: string, value: string | boolean) => void
}

/** The values from the vendor's console, and custom hosts. */
function SettingFields({ vendor, draft, secretNeeded, onChange }: SettingsProps) {
  const { t } = useTranslation()
  return (
    <>
      {VENDOR_FIELDS[vendor].map((field) => (
        <SettingField
          key={field.name}
          field={field}
          value={draft[field.name] ?? ''}
          secretNeeded={secretNeeded}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
      <details>
        <summary>{t('vendor.hosts')}</summary>
        <div className="vendor-fields">
          <p className="muted">{t('vendor.hosts.text')}</p>
          {Object.entries(VENDOR_HOSTS[vendor]).map(([name, own]) => (
            <TextField
              key={name}
              name={`settings.${name}`}
              label={t(`vendor-field.${name}` as never)}
              value={String(draft[name] ?? '')}
              placeholder={own}
              isOptional
              maxLength={300}
              inputMode="url"
              onChange={(value) => onChange(name, value)}
            />
          ))}
        </div>
      </details>
    </>
  )
}

type FieldProps = {
  field: VendorField
  value: string | boolean
  secretNeeded: string | undefined
  onChange: (value: string | boolean) => void
}

function SettingField({ field: { name, kind, isOptional = false }, value, secretNeeded, onChange }: FieldProps) {
  const { t } = useTranslation()
  const label = t(`vendor-field.${name}` as never)
  if (kind === 'switch') return <Switch label={label} checked={value === true} onChange={onChange} />
  const input = { name: `settings.${name}`, label, value: String(value), onChange }
  return kind === 'text' ? (
    <TextField {...input} isOptional={isOptional} maxLength={100} />
  ) : (
    <SecretField {...input} isOptional={isOptional} secretNeeded={secretNeeded} />
  )
}
