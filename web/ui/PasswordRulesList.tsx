import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { PasswordSubject } from '#shared/contract/passwords.ts'
import {
  type PasswordRule,
  type PasswordRules,
  type PasswordStrength,
  passwordChecks,
  strengthOfPassword,
} from '#shared/rules/password-strength.ts'
import { Icon } from './Icon.tsx'
import { type PasswordCheckResult, usePasswordCheck } from './use-password-check.ts'

type Props = {
  password: string
  rules: PasswordRules
  /** Account, name and the like, which must not be in a password. */
  ownWords: readonly string[]
  /** Whose password it will be; the server knows further words of them. */
  subject: PasswordSubject
  /** How many former passwords are refused. */
  history: number
}

type RowState = 'met' | 'broken' | 'open'

const OWN: readonly PasswordRule[] = ['contains-account', 'contains-name', 'contains-phone', 'contains-birthday']

/** The rules of a new password, checked while typing, and its strength: what the server would refuse is always weak. */
export function PasswordRulesList({ password, rules: general, ownWords, subject, history: generalHistory }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const isWorthAsking = passwordChecks(password, general, ownWords).every(({ met }) => met)
  const { judgement, held } = usePasswordCheck(password, subject, isWorthAsking)
  const rules = held ?? general
  const history = held?.passwordHistory ?? generalHistory
  const checks = passwordChecks(password, rules, ownWords)
  const keepsTyped = checks.every(({ met }) => met)
  const strength = password === '' ? null : strengthNow(password, rules, keepsTyped, judgement)
  const judged = (...names: readonly PasswordRule[]): RowState => {
    if (typeof judgement === 'string') return 'open'
    return judgement.some((rule) => names.includes(rule)) ? 'broken' : 'met'
  }
  const limits = { min: rules.passwordMinLength, max: rules.passwordMaxLength }
  return (
    <section className="password-rules" aria-labelledby={id}>
      <p>
        <span id={id}>{t('password.rules')}</span>
        <span aria-live="polite">{strength && <Strength strength={strength} />}</span>
      </p>
      <ul>
        {checks.map(({ name, met }) => (
          <Row key={name} state={!met ? 'open' : name === 'own' ? judged(...OWN) : 'met'}>
            {t(`password.rule.${name}`, limits)}
          </Row>
        ))}
        <Row state={judged('common')}>{t('password.rule.common')}</Row>
        {judged('contains-institution') === 'broken' && (
          <Row state="broken">{t('password.rule.contains-institution')}</Row>
        )}
        {judged('blocked') === 'broken' && <Row state="broken">{t('password.rule.blocked')}</Row>}
        {history > 0 && <Row state="open">{t('password.rule.former', { count: history })}</Row>}
      </ul>
    </section>
  )
}

function strengthNow(
  password: string,
  rules: PasswordRules,
  keepsTyped: boolean,
  judgement: PasswordCheckResult,
): PasswordStrength | 'pending' | null {
  if (!keepsTyped) return 'weak'
  if (judgement === 'pending') return 'pending'
  if (judgement === 'unknown') return null
  return judgement.length > 0 ? 'weak' : strengthOfPassword(password, rules.passwordMinLength)
}

function Strength({ strength }: { strength: PasswordStrength | 'pending' }) {
  const { t } = useTranslation()
  if (strength === 'pending') return <span className="password-strength">{t('password.judging')}</span>
  return (
    <span className={`password-strength password-strength-${strength}`}>
      {t('password.strength', { strength: t(`password.strength.${strength}`) })}
    </span>
  )
}

const MARKS = { met: 'check', broken: 'close' } as const

function Row({ state, children }: { state: RowState; children: string }) {
  const { t } = useTranslation()
  return (
    <li className={state === 'open' ? undefined : state}>
      {state === 'open' ? <span className="rule-dot" /> : <Icon name={MARKS[state]} />}
      <span>
        {children}
        {state !== 'open' && <span className="visually-hidden"> {t(`password.rule-${state}`)}</span>}
      </span>
    </li>
  )
}
