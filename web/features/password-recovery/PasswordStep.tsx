import { useTranslation } from 'react-i18next'
import {
  type Recovery,
  type RecoveryMethod,
  updatePasswordByEmail,
  updatePasswordByPhone,
  updatePasswordByQuestions,
} from '#shared/contract/password-recovery.ts'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { refusalMessage } from '../../platform/refusal.ts'
import { ManagerName } from '../../ui/ManagerName.tsx'
import { NewPassword } from '../../ui/NewPassword.tsx'
import { PolicyGate } from '../../ui/PolicyGate.tsx'
import { useNewPassword } from '../../ui/use-new-password.ts'
import { RecoveryForm } from './RecoveryForm.tsx'
import type { RecoveredState } from './recovered-state.ts'
import { type RecoveryFlow, useRecoveryCall } from './use-recovery-flow.ts'

const UPDATE = {
  phone: updatePasswordByPhone,
  mailbox: updatePasswordByEmail,
  questions: updatePasswordByQuestions,
} as const

type Props = {
  walk: RecoveryFlow
  recovery: Recovery
  method: RecoveryMethod
  proof: string
  onDone: (recovered: RecoveredState) => void
}

/** The new password; a rejected one can be replaced without verifying again. */
export const PasswordStep = (props: Props) => (
  <PolicyGate>{(policy) => <PasswordForm {...props} policy={policy} />}</PolicyGate>
)

function PasswordForm({ walk, recovery, method, proof, policy, onDone }: Props & { policy: PasswordPolicy }) {
  const { t } = useTranslation()
  const { account, name } = walk.typed
  const { value, setValue, ownWords, isReadyFor } = useNewPassword([account, name].filter((word) => word !== ''))
  const set = useRecoveryCall<RecoveredState>(walk, onDone)
  const ofPassword = refusalMessage(set.error, 'password.')
  const body = { proof, newPassword: value.password }
  return (
    <RecoveryForm
      walk={walk}
      title={t('recovery.password.title')}
      text={t('recovery.password.text')}
      verb={t('recovery.password.submit')}
      isReady={isReadyFor(policy)}
      isBusy={set.isPending}
      error={ofPassword ? undefined : failureText(set.error)}
      onSubmit={() => set.mutate(() => call(UPDATE[method], { query: { id: recovery.id }, body }))}
    >
      {(submitted) => (
        <>
          <ManagerName account={account} />
          <NewPassword
            value={value}
            rules={policy}
            history={policy.passwordHistory}
            ownWords={ownWords}
            subject={{ kind: 'recovery', id: recovery.id, method, proof }}
            error={ofPassword}
            submitted={submitted}
            onChange={(next) => {
              setValue(next)
              set.reset()
            }}
          />
        </>
      )}
    </RecoveryForm>
  )
}
