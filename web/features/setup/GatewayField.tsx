import { useTranslation } from 'react-i18next'
import { typedSecret } from '#shared/rules/typed-secret.ts'
import type { MessageKey } from '../../platform/i18n.ts'
import { Field } from '../../ui/Field.tsx'
import { useFixedReason } from '../../ui/fixed-field.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import type { Draft } from './gateway-drafts.ts'

export type Fields = {
  draft: Draft
  /** The invalid fields; shown once a button has been pressed. */
  invalid: ReadonlySet<string>
  onChange: (draft: Draft) => void
}

type Props = Fields & {
  name: string
  label: MessageKey
  hint?: MessageKey
  kind?: 'text' | 'email' | 'numeric' | 'secret'
}

export function GatewayField({ name, label, hint, kind = 'text', draft, invalid, onChange }: Props) {
  const { t } = useTranslation()
  const isFixed = useFixedReason() !== undefined
  const value = draft[name] ?? ''
  const error = !invalid.has(name) ? undefined : t(value.trim() === '' ? 'form.required' : 'gateway.invalid')
  const change = (next: string) => onChange({ ...draft, [name]: next })
  if (kind === 'secret') {
    return (
      <PasswordField
        label={t(label)}
        value={value}
        autoComplete="new-password"
        error={error}
        // The placeholder represents the stored secret: typing replaces it.
        onChange={(next) => change(typedSecret(value, next))}
      />
    )
  }
  return (
    <Field label={t(label)} hint={hint && t(hint)} error={error}>
      {(aria) => (
        <input
          {...aria}
          className="input"
          type={kind === 'email' ? 'email' : 'text'}
          inputMode={kind === 'numeric' ? 'numeric' : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={500}
          readOnly={isFixed}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  )
}
