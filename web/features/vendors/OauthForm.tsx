import { useTranslation } from 'react-i18next'
import { OAUTH2_PRESET_NAMES } from '#shared/rules/oauth2-presets.ts'
import { SecretField } from '../../ui/SecretField.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import {
  OAUTH2_GROUPS,
  OAUTH2_PLACE,
  OAUTH2_RARE,
  type OAuth2Draft,
  type OAuth2Field,
  presetOf,
  withPreset,
} from './oauth2-fields.ts'

type Props = {
  draft: OAuth2Draft
  secretNeeded: string | undefined
  onChange: (draft: OAuth2Draft) => void
}

/**
 * A platform that nearly speaks OAuth 2.0: its addresses and deviations. A preset fills them in; everything can be
 * changed.
 */
export function OauthForm({ draft, secretNeeded, onChange }: Props) {
  const { t } = useTranslation()
  const fieldsOf = (fields: readonly OAuth2Field[]) =>
    fields.map((field) => (
      <OAuth2SettingField
        key={field.path}
        field={field}
        value={draft[field.path] ?? ''}
        secretNeeded={secretNeeded}
        onChange={(value) => onChange({ ...draft, [field.path]: value })}
      />
    ))
  const part = (name: string, fields: readonly OAuth2Field[]) => (
    <details key={name}>
      <summary>{t(`oauth2.group.${name}` as never)}</summary>
      <div className="vendor-fields">{fieldsOf(fields)}</div>
    </details>
  )
  return (
    <>
      <SelectField
        label={t('oauth2.preset')}
        hint={t('oauth2.preset.hint')}
        value={presetOf(draft)}
        options={OAUTH2_PRESET_NAMES.map((value) => ({ value, label: t(`oauth2.preset.${value}`) }))}
        onChange={(name) => name && onChange(withPreset(draft, name))}
      />
      {fieldsOf(OAUTH2_PLACE)}
      {OAUTH2_GROUPS.map(({ name, fields }) => part(name, fields))}
      {part('rare', OAUTH2_RARE)}
    </>
  )
}

type FieldProps = {
  field: OAuth2Field
  value: string | boolean
  secretNeeded: string | undefined
  onChange: (value: string | boolean) => void
}

function OAuth2SettingField({ field: { path, kind, options = [], empty }, value, secretNeeded, onChange }: FieldProps) {
  const { t } = useTranslation()
  const label = t(`vendor-field.${path}` as never)
  const name = `settings.${path}`
  if (kind === 'switch' || kind === 'member') {
    return <Switch label={label} checked={value === true} onChange={onChange} />
  }
  const input = { name, label, value: String(value), onChange }
  if (kind === 'secret') return <SecretField {...input} secretNeeded={secretNeeded} />
  if (kind === 'choice') {
    return (
      <SelectField
        {...input}
        options={options.map((one) => ({ value: one, label: t(`oauth2.${path}.${one}` as never) }))}
      />
    )
  }
  if (kind === 'pairs' || kind === 'list') {
    return <TextAreaField {...input} hint={t(`oauth2.${kind}.hint`)} isOptional rows={2} maxLength={4000} />
  }
  return <TextField {...input} isOptional={empty !== undefined || isOmissible(path)} maxLength={2000} />
}

/** A parameter without a name is not sent, and an empty pointer is not evaluated. */
const isOmissible = (path: string): boolean => path !== 'clientId' && path !== 'claims.subject'
