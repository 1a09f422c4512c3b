import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TestedPolicy, testPassword } from '#shared/contract/login-config.ts'
import { type CallOutput, call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { PERSON_PICKER } from '../../ui/person-picker.ts'
import { valueText } from './policy-values.ts'
import type { LoginConfigDraft } from './use-login-config.ts'

const PAUSE_MS = 300

type Judged = CallOutput<typeof testPassword>
/** A reason in words, when the server could not be asked. */
type Answer = ({ about: string } & Judged) | { about: string; failure: string }

/** The rules as edited; incomplete input falls back to the saved value. */
function policyOf(draft: LoginConfigDraft): TestedPolicy {
  const typed = Object.keys(TestedPolicy.shape).map((key) => [key, draft.shownValue(key as keyof TestedPolicy)])
  const parsed = TestedPolicy.safeParse(Object.fromEntries(typed))
  return parsed.success ? parsed.data : TestedPolicy.strip().parse(draft.loaded)
}

/** Asks once typing pauses; the password is sent as when it is set, and is not cached. */
function useTest(password: string, userId: string | undefined, policy: TestedPolicy): Answer | 'pending' | null {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const about = JSON.stringify({ password, policy, ...(userId && { userId }) })
  useEffect(() => {
    if (password === '') return
    const leaving = new AbortController()
    const ask = async (): Promise<Answer> => {
      const body = JSON.parse(about) as { password: string; userId?: string; policy: TestedPolicy }
      return { about, ...(await call(testPassword, { body }, { signal: leaving.signal })) }
    }
    const timer = setTimeout(async () => {
      const received = await ask().catch((error: unknown): Answer => ({ about, failure: failureText(error) }))
      if (!leaving.signal.aborted) setAnswer(received)
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [about, password])
  if (password === '') return null
  // The former verdict is about another password, person or policy.
  return answer?.about === about ? answer : 'pending'
}

/** Shows which rules a password meets or breaks. */
export function PasswordTestDialog({ draft, onClose }: { draft: LoginConfigDraft; onClose: () => void }) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const [person, setPerson] = useState<PickerOption[]>([])
  const policy = policyOf(draft)
  const answer = useTest(password, person[0]?.id, policy)
  return (
    <Dialog title={t('password-test.title')} onClose={onClose}>
      <div className="password-test">
        <p className="muted">{t('password-test.explain')}</p>
        <PasswordField
          label={t('password-test.password')}
          value={password}
          autoComplete="new-password"
          firstFocus
          onChange={setPassword}
        />
        <Picker
          label={t('password-test.person')}
          hint={t('password-test.person.hint')}
          placeholder={t('password-test.person.search')}
          isOptional
          {...PERSON_PICKER}
          value={person}
          onChange={setPerson}
        />
        <Judgement answer={answer} policy={policy} isOfPerson={person.length > 0} />
      </div>
    </Dialog>
  )
}

const MARKS = { passed: 'check', failed: 'close' } as const

type JudgementProps = { answer: ReturnType<typeof useTest>; policy: TestedPolicy; isOfPerson: boolean }

function Judgement({ answer, policy, isOfPerson }: JudgementProps) {
  const { t } = useTranslation()
  if (!answer || answer === 'pending') {
    return (
      <p className="muted" role="status">
        {t(answer ? 'password.judging' : 'password-test.waiting')}
      </p>
    )
  }
  if ('failure' in answer) {
    return (
      <p className="field-error" role="alert">
        {answer.failure}
      </p>
    )
  }
  const broken = answer.rules.filter(({ outcome }) => outcome === 'failed').length
  const { passwordMinLength, passwordLevel, passwordHistory, passwordMaxAgeDays } = answer.holds
  const params = { min: passwordMinLength, max: policy.passwordMaxLength, count: passwordHistory }
  const policyValues = { passwordMinLength, passwordLevel, passwordHistory, passwordMaxAgeDays }
  return (
    <section aria-label={t('password-test.rules')}>
      <p className={broken > 0 ? 'password-test-bad' : 'password-test-good'} role="status">
        {broken > 0 ? t('password-test.bad', { count: broken }) : t('password-test.good')}
      </p>
      <ul className="password-test-rules">
        {answer.rules.map(({ rule, outcome }) => (
          <li key={rule} data-outcome={outcome}>
            {outcome === 'not-tested' ? <span className="rule-dot" /> : <Icon name={MARKS[outcome]} />}
            <span>{t(`password-test.rule.${rule}`, params)}</span>
            <span className="password-test-outcome">{t(`password-test.${outcome}`)}</span>
          </li>
        ))}
      </ul>
      <p>{t(isOfPerson ? 'password-test.holds' : 'password-test.holds-for-nobody')}</p>
      <dl className="password-test-holds">
        {(Object.keys(policyValues) as (keyof typeof policyValues)[]).map((key) => (
          <div key={key}>
            <dt>{t(`audit-field.${key}`)}</dt>
            <dd>{valueText(t, key, policyValues[key])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
