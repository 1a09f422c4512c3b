import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AccountSecurity, answerSecurityQuestions } from '#shared/contract/account-security.ts'
import { listSecurityQuestions, QUESTIONS_TO_ANSWER } from '#shared/contract/security-questions.ts'
import { call } from '../../platform/api.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { areAnswersReady, emptyAnswers, SecurityQuestionFields } from '../../ui/SecurityQuestionFields.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { SubmitDialog } from '../../ui/SubmitDialog.tsx'
import { useSecurityChange } from './security-queries.ts'

type Props = { userId: string; security: AccountSecurity; onClose: () => void }

/** Three new questions replace all previous ones: stored answers can't be shown. */
export function QuestionsDialog({ userId, security, onClose }: Props) {
  const { t } = useTranslation()
  const list = useQuery({
    queryKey: ['security-questions', document.documentElement.lang],
    queryFn: ({ signal }) => call(listSecurityQuestions, {}, { signal }),
  })
  const [answers, setAnswers] = useState(() => emptyAnswers(QUESTIONS_TO_ANSWER))
  const { version } = security
  const isSet = security.securityQuestions.length > 0
  const change = useSecurityChange({
    make: () => call(answerSecurityQuestions, { query: { id: userId }, body: { answers, version } }),
    done: t('set-account.questions.done'),
    onDone: onClose,
  })
  return (
    <SubmitDialog
      title={t(isSet ? 'set-account.questions.change' : 'set-account.questions.set')}
      verb={t('set-account.questions.save')}
      isBusy={change.isPending || !list.data}
      isReady={areAnswersReady(answers)}
      error={change.error}
      told={false}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      {(submitted) => (
        <>
          <p className="muted">{t(isSet ? 'set-account.questions.consequence' : 'set-account.questions.good-for')}</p>
          {list.isPending && <Skeleton lines={4} />}
          {list.isError && <FailedBlock error={list.error} onRetry={() => void list.refetch()} />}
          {list.data && (
            <SecurityQuestionFields
              questions={list.data.questions}
              value={answers}
              submitted={submitted}
              onChange={setAnswers}
            />
          )}
        </>
      )}
    </SubmitDialog>
  )
}
