import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PasswordRules, passwordChecks, strengthOfPassword } from '#shared/rules/password-strength.ts'
import { Icon } from './Icon.tsx'
import { PasswordField } from './PasswordField.tsx'
import './form-card.css'

export type NewPasswordValue = { password: string; repeated: string }

type Props = {
  value: NewPasswordValue
  rules: PasswordRules
  /** Account, name and the like: not to be in a password. */
  ownWords: readonly string[]
  /** How many former passwords are refused. */
  history?: number
  /** What the server said of the password. */
  error?: string | undefined
  /** The person has pressed the button of the form: what still fails is told at its field. */
  submitted?: boolean
  onChange: (value: NewPasswordValue) => void
}

export const isNewPasswordReady = (
  value: NewPasswordValue,
  rules: PasswordRules,
  ownWords: readonly string[],
): boolean =>
  value.password === value.repeated && passwordChecks(value.password, rules, ownWords).every(({ met }) => met)

/** A new password twice, its rules in sight from the start and ticked while typing; a mismatch is told after the field is left. */
export function NewPassword({ value, rules, ownWords, history = 0, error, submitted = false, onChange }: Props) {
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
      <RulesList password={value.password} rules={rules} ownWords={ownWords} history={history} />
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

type RulesListProps = Pick<Props, 'rules' | 'ownWords'> & { password: string; history: number }

function RulesList({ password, rules, ownWords, history }: RulesListProps) {
  const { t } = useTranslation()
  const id = useId()
  const strength = password === '' ? null : strengthOfPassword(password, rules.passwordMinLength)
  const limits = { min: rules.passwordMinLength, max: rules.passwordMaxLength }
  return (
    <section className="password-rules" aria-labelledby={id}>
      <p id={id}>
        {t('password.rules')}
        {strength && (
          <span className={`password-strength password-strength-${strength}`} aria-live="polite">
            {t('password.strength', { strength: t(`password.strength.${strength}`) })}
          </span>
        )}
      </p>
      <ul>
        {passwordChecks(password, rules, ownWords).map(({ name, met }) => (
          <li key={name} className={met ? 'met' : undefined}>
            {met ? <Icon name="check" /> : <span className="rule-dot" />}
            {t(`password.rule.${name}`, limits)}
            {met && <span className="visually-hidden">{t('password.rule-met')}</span>}
          </li>
        ))}
        <li>
          <span className="rule-dot" />
          {t('password.rule.common')}
        </li>
        {history > 0 && (
          <li>
            <span className="rule-dot" />
            {t('password.rule.former', { count: history })}
          </li>
        )}
      </ul>
    </section>
  )
}
