import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { proveByQuestions, type Recovery } from '#shared/contract/password-recovery.ts'
import { type CallOutput, call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { Field } from '../../ui/Field.tsx'
import { RecoveryForm } from './RecoveryForm.tsx'
import { type RecoveryFlow, useRecoveryCall } from './use-recovery-flow.ts'

/** The answers to all questions; which one was wrong is not revealed. */
export function AnswersStep({ walk, recovery }: { walk: RecoveryFlow; recovery: Recovery }) {
  const { t } = useTranslation()
  const [answers, setAnswers] = useState<Record<string, string>>({})
  const { id, questions } = recovery
  const answerOf = (code: string) => answers[code]?.trim() ?? ''
  const prove = useRecoveryCall<CallOutput<typeof proveByQuestions>>(walk, ({ proof, next }) =>
    walk.goTo(next === 'code' ? { step: 'target', answered: proof } : { step: 'password', method: 'questions', proof }),
  )
  const given = questions.map(({ code }) => ({ question: code, answer: answerOf(code) }))
  return (
    <RecoveryForm
      walk={walk}
      title={t('recovery.answers.title')}
      text={t('recovery.answers.text')}
      verb={t('recovery.next')}
      isReady={given.every(({ answer }) => answer !== '')}
      isBusy={prove.isPending}
      error={failureText(prove.error)}
      onSubmit={() => prove.mutate(() => call(proveByQuestions, { query: { id }, body: { answers: given } }))}
      onBack={() => walk.goTo({ step: 'method' })}
    >
      {(submitted) =>
        questions.map(({ code, text }) => (
          <Field key={code} label={text} error={submitted && answerOf(code) === '' ? t('form.required') : undefined}>
            {(aria) => (
              <input
                {...aria}
                className="input"
                type="text"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={200}
                required
                value={answers[code] ?? ''}
                onChange={({ target }) => {
                  setAnswers({ ...answers, [code]: target.value })
                  if (prove.isError) prove.reset()
                }}
              />
            )}
          </Field>
        ))
      }
    </RecoveryForm>
  )
}
