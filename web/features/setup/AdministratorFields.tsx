import { useTranslation } from 'react-i18next'
import type { PasswordRules } from '#shared/rules/password-strength.ts'
import { Field } from '../../ui/Field.tsx'
import { isNewPasswordReady, NewPassword, type NewPasswordValue } from '../../ui/NewPassword.tsx'

export type Administrator = { account: string; name: string } & NewPasswordValue

type Props = {
  value: Administrator
  rules: PasswordRules
  passwordError: string | undefined
  /** The form has been submitted. */
  submitted: boolean
  onChange: (value: Administrator) => void
}

const ownWords = ({ account, name }: Administrator): string[] => [account, name]

export const isAdministratorReady = (value: Administrator, rules: PasswordRules): boolean =>
  value.account.trim() !== '' && value.name.trim() !== '' && isNewPasswordReady(value, rules, ownWords(value))

export function AdministratorFields({ value, rules, passwordError, submitted, onChange }: Props) {
  const { t } = useTranslation()
  const missing = (text: string) => (submitted && text.trim() === '' ? t('form.required') : undefined)
  return (
    <fieldset>
      <legend>{t('setup.administrator')}</legend>
      <Field label={t('setup.account')} hint={t('setup.account.hint')} error={missing(value.account)}>
        {(aria) => (
          <input
            {...aria}
            className="input"
            required
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={64}
            value={value.account}
            onChange={(event) => onChange({ ...value, account: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('setup.name')} error={missing(value.name)}>
        {(aria) => (
          <input
            {...aria}
            className="input"
            required
            autoComplete="name"
            maxLength={60}
            value={value.name}
            onChange={(event) => onChange({ ...value, name: event.target.value })}
          />
        )}
      </Field>
      <NewPassword
        value={value}
        rules={rules}
        ownWords={ownWords(value)}
        subject={{ kind: 'typed', account: value.account, name: value.name }}
        error={passwordError}
        submitted={submitted}
        onChange={(next) => onChange({ ...value, ...next })}
      />
    </fieldset>
  )
}
