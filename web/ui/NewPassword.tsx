import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PasswordSubject } from '#shared/contract/passwords.ts'
import { type PasswordRules, passwordChecks } from '#shared/rules/password-strength.ts'
import { PasswordField } from './PasswordField.tsx'
import { PasswordRulesList } from './PasswordRulesList.tsx'
import './form-card.css'

export type NewPasswordValue = { password: string; repeated: string }

type Props = {
  value: NewPasswordValue
  rules: PasswordRules
  /** Account, name and the like, which must not be in a password. */
  ownWords: readonly string[]
  /** Whose password it will be. */
  subject: PasswordSubject
  /** How many former passwords are refused. */
  history?: number
  /** The server's error of the password. */
  error?: string | undefined
  /** The form has been submitted: show remaining errors. */
  submitted?: boolean
  onChange: (value: NewPasswordValue) => void
}

export const isNewPasswordReady = (
  value: NewPasswordValue,
  rules: PasswordRules,
  ownWords: readonly string[],
): boolean =>
  value.password === value.repeated && passwordChecks(value.password, rules, ownWords).every(({ met }) => met)

/** A new password twice, with its rules checked while typing; a mismatch is shown after leaving the field. */
export function NewPassword({
  value,
  rules,
  ownWords,
  subject,
  history = 0,
  error,
  submitted = false,
  onChange,
}: Props) {
  const { t } = useTranslation()
  const [left, setLeft] = useState(false)
  const isWeak = submitted && passwordChecks(value.password, rules, ownWords).some(({ met }) => !met)
  const mismatch = (submitted || (left && value.repeated !== '')) && value.repeated !== value.password
  return (
    <>
      <PasswordField
        label={t('password.new')}
        value={value.password}
        autoComplete="new-password"
        error={isWeak ? t('password.rules-unmet') : error}
        onChange={(password) => onChange({ ...value, password })}
      />
      <PasswordRulesList
        password={value.password}
        rules={rules}
        ownWords={ownWords}
        subject={subject}
        history={history}
      />
      <PasswordField
        label={t('password.repeat')}
        value={value.repeated}
        autoComplete="new-password"
        error={mismatch ? t('password.mismatch') : undefined}
        onChange={(repeated) => onChange({ ...value, repeated })}
        onBlur={() => setLeft(true)}
      />
    </>
  )
}
