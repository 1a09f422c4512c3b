import { useTranslation } from 'react-i18next'
import { setActivationPassword } from '#shared/contract/activation.ts'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { refusalMessage } from '../../platform/refusal.ts'
import { ManagerName } from '../../ui/ManagerName.tsx'
import { NewPassword } from '../../ui/NewPassword.tsx'
import { PolicyGate } from '../../ui/PolicyGate.tsx'
import { useNewPassword } from '../../ui/use-new-password.ts'
import { ActivationStepForm } from './ActivationStepForm.tsx'
import type { StepProps } from './activation-step.types.ts'
import { useStepMutation } from './use-activation.ts'

export const PasswordStep = (props: StepProps) => (
  <PolicyGate>{(policy) => <PasswordForm {...props} policy={policy} />}</PolicyGate>
)

function PasswordForm({ activation, policy, onTaken, onSkip, onBack }: StepProps & { policy: PasswordPolicy }) {
  const { t } = useTranslation()
  const { account, name, proof } = activation
  const { value, setValue, ownWords, isReadyFor } = useNewPassword([account, name])
  const choose = useStepMutation({ onDone: onTaken })
  const ofPassword = refusalMessage(choose.error, 'password.')
  return (
    <ActivationStepForm
      title={t('activation.password.title')}
      text={t('activation.password.text', { account })}
      verb={t('activation.next')}
      isReady={isReadyFor(policy)}
      isBusy={choose.isPending}
      error={ofPassword ? undefined : failureText(choose.error)}
      onSubmit={() => choose.mutate(() => call(setActivationPassword, { body: { proof, password: value.password } }))}
      onSkip={onSkip}
      onBack={onBack}
    >
      {(submitted) => (
        <>
          <ManagerName account={account} />
          <NewPassword
            value={value}
            rules={policy}
            ownWords={ownWords}
            subject={{ kind: 'activation', proof }}
            error={ofPassword}
            submitted={submitted}
            onChange={(next) => {
              setValue(next)
              choose.reset()
            }}
          />
        </>
      )}
    </ActivationStepForm>
  )
}
