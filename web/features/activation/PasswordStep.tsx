import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setActivationPassword } from '#shared/contract/activation.ts'
import { queryPasswordPolicy } from '#shared/contract/passwords.ts'
import { call } from '../../platform/api.ts'
import { isNewPasswordReady, NewPassword } from '../../ui/NewPassword.tsx'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { StepForm } from './StepForm.tsx'
import type { StepProps } from './Steps.tsx'
import { refusalAbout, useTake } from './use-activation.ts'

export function PasswordStep({ activation, onTaken, onSkip, onBack }: StepProps) {
  const { t } = useTranslation()
  const policy = useQuery({ queryKey: ['password-policy'], queryFn: () => call(queryPasswordPolicy) })
  const [value, setValue] = useState({ password: '', repeated: '' })
  const choose = useTake({ onDone: onTaken })
  if (policy.isError) return <FailedBlock error={policy.error} onRetry={() => void policy.refetch()} />
  if (!policy.data) return <Waiting lines={4} />
  const rules = policy.data
  const { account, name, proof } = activation
  const ownWords = [account, name]
  const ofPassword = refusalAbout(choose.error, 'password.')
  return (
    <StepForm
      title={t('activation.password.title')}
      text={t('activation.password.text', { account })}
      verb={t('activation.next')}
      isReady={isNewPasswordReady(value, rules, ownWords)}
      isBusy={choose.isPending}
      error={ofPassword ? undefined : choose.error?.message}
      onSubmit={() => choose.mutate(() => call(setActivationPassword, { body: { proof, password: value.password } }))}
      onSkip={onSkip}
      onBack={onBack}
    >
      {(submitted) => (
        <>
          {/* For password managers, which keep a new password under the name beside it. */}
          <input
            type="text"
            className="visually-hidden"
            autoComplete="username"
            value={account}
            readOnly
            tabIndex={-1}
            aria-hidden="true"
          />
          <NewPassword
            value={value}
            rules={rules}
            ownWords={ownWords}
            error={ofPassword}
            submitted={submitted}
            onChange={(next) => {
              setValue(next)
              choose.reset()
            }}
          />
        </>
      )}
    </StepForm>
  )
}
