import { useTranslation } from 'react-i18next'
import { MAILBOX_DRIVERS } from '#shared/contract/mailbox-settings.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import { typedSecret } from '#shared/rules/typed-secret.ts'
import { SecretField } from '../../ui/SecretField.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { MAILBOX_FIELDS, type MailboxDraft, type MailboxField } from './mailbox-draft.ts'

type Props = {
  draft: MailboxDraft
  /** Why a stored secret has to be entered again. */
  secretNeeded: string | undefined
  onChange: (draft: MailboxDraft) => void
}

/** The provider, the instructions for its console, and the values copied from there. */
export function ProviderFields({ draft, secretNeeded, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <section className="vendor-fields">
      <h2>{t('vendor.settings')}</h2>
      <SelectField
        name="settings.driver"
        label={t('mailbox-field.driver')}
        value={draft.driver}
        options={MAILBOX_DRIVERS.map((value) => ({ value, label: t(`mail-provider.${value}`) }))}
        // Input for another provider does not apply to this one.
        onChange={(driver) => onChange({ ...draft, driver: driver || draft.driver, settings: {} })}
      />
      <p>{t(`mail-provider.guide.${draft.driver}`)}</p>
      {MAILBOX_FIELDS[draft.driver].map((field) => (
        <ProviderField
          key={`${draft.driver} ${field.name}`}
          field={field}
          value={draft.settings[field.name] ?? ''}
          secretNeeded={secretNeeded}
          onChange={(value) => onChange({ ...draft, settings: { ...draft.settings, [field.name]: value } })}
        />
      ))}
    </section>
  )
}

type FieldProps = {
  field: MailboxField
  value: string
  secretNeeded: string | undefined
  onChange: (value: string) => void
}

function ProviderField({ field: { name, kind, standard }, value, secretNeeded, onChange }: FieldProps) {
  const { t } = useTranslation()
  const input = { name: `settings.${name}`, label: t(`mailbox-field.${name}` as never), value, onChange }
  if (kind === 'secret') return <SecretField {...input} secretNeeded={secretNeeded} />
  if (kind === 'key')
    return (
      <TextAreaField
        {...input}
        rows={6}
        maxLength={8000}
        error={value === SECRET_PLACEHOLDER ? secretNeeded : undefined}
        // The placeholder represents the stored secret: typing replaces it.
        onChange={(next) => onChange(typedSecret(value, next))}
      />
    )
  return kind === 'host' ? (
    <TextField
      {...input}
      {...(standard !== undefined && { placeholder: standard, isOptional: true })}
      inputMode="url"
      maxLength={300}
    />
  ) : (
    <TextField {...input} maxLength={100} />
  )
}
