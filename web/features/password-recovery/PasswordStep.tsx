import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Recovery,
  type RecoveryWay,
  updatePasswordByEmail,
  updatePasswordByPhone,
  updatePasswordByQuestions,
} from '#shared/contract/password-recovery.ts'
import { queryPasswordPolicy } from '#shared/contract/passwords.ts'
import { call } from '../../platform/api.ts'
import { isNewPasswordReady, NewPassword } from '../../ui/NewPassword.tsx'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { RecoveryForm } from './RecoveryForm.tsx'
import { refusalAbout, useStep, type Walk } from './use-recovery.ts'

const UPDATE = {
  phone: updatePasswordByPhone,
  mailbox: updatePasswordByEmail,
  questions: updatePasswordByQuestions,
} as const

type Props = { walk: Walk; recovery: Recovery; way: RecoveryWay; proof: string; onDone: () => void }

/** The new password; one that is too weak can be typed again with the same proof. */
export function PasswordStep({ walk, recovery, way, proof, onDone }: Props) {
  const { t } = useTranslation()
  const policy = useQuery({ queryKey: ['password-policy'], queryFn: () => call(queryPasswordPolicy) })
  const [value, setValue] = useState({ password: '', repeated: '' })
  const set = useStep<unknown>(walk, onDone)
  if (policy.isError) return <FailedBlock error={policy.error} onRetry={() => void policy.refetch()} />
  if (!policy.data) return <Waiting lines={4} />
  const rules = policy.data
  const { account, name } = walk.typed
  const ownWords = [account, name].filter((word) => word !== '')
  const ofPassword = refusalAbout(set.error, 'password.')
  return (
    <RecoveryForm
      walk={walk}
      title={t('recovery.password.title')}
      text={t('recovery.password.text')}
      verb={t('recovery.password.submit')}
      isReady={isNewPasswordReady(value, rules, ownWords)}
      isBusy={set.isPending}
      error={ofPassword ? undefined : set.error?.message}
      onSubmit={() =>
        set.mutate(() =>
          call(UPDATE[way], { query: { id: recovery.id }, body: { proof, newPassword: value.password } }),
        )
      }
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
            history={rules.passwordHistory}
            ownWords={ownWords}
            error={ofPassword}
            submitted={submitted}
            onChange={(next) => {
              setValue(next)
              if (set.isError) set.reset()
            }}
          />
        </>
      )}
    </RecoveryForm>
  )
}
