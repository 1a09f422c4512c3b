import { useQuery } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setActivationQuestions } from '#shared/contract/activation.ts'
import { listSecurityQuestions, QUESTIONS_TO_ANSWER, type SecurityAnswer } from '#shared/contract/security-questions.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { areAnswersReady, emptyAnswers, SecurityQuestionFields } from '../../ui/SecurityQuestionFields.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { ActivationStepForm } from './ActivationStepForm.tsx'
import { ActivationContext } from './activation-context.ts'
import type { StepProps } from './activation-step.types.ts'
import { useStepMutation } from './use-activation.ts'

export function QuestionsStep({ activation, onTaken, onSkip, onBack }: StepProps) {
  const { t, i18n } = useTranslation()
  const list = useQuery({
    queryKey: ['security-questions', i18n.language],
    queryFn: ({ signal }) => call(listSecurityQuestions, {}, { signal }),
  })
  const { drafts } = useContext(ActivationContext)
  const [answers, setAnswers] = useState(() => drafts.current.answers ?? emptyAnswers(QUESTIONS_TO_ANSWER))
  const change = (next: SecurityAnswer[]) => {
    drafts.current.answers = next
    setAnswers(next)
  }
  const answer = useStepMutation({ onDone: onTaken })
  if (list.isError) return <FailedBlock error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <Skeleton lines={4} />
  const { questions } = list.data
  const { proof } = activation
  return (
    <ActivationStepForm
      title={t('activation.questions.title')}
      text={t('activation.questions.text')}
      verb={t('activation.next')}
      isReady={areAnswersReady(answers)}
      isBusy={answer.isPending}
      error={failureText(answer.error)}
      onSubmit={() => answer.mutate(() => call(setActivationQuestions, { body: { proof, answers } }))}
      onSkip={onSkip}
      onBack={onBack}
    >
      {(submitted) => (
        <SecurityQuestionFields questions={questions} value={answers} submitted={submitted} onChange={change} />
      )}
    </ActivationStepForm>
  )
}
