import { useTranslation } from 'react-i18next'
import { setActivationPassword } from '#shared/contract/activation.ts'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import { call } from '../../platform/api.ts'
import { refusalAbout } from '../../platform/refusal.ts'
import { ManagerName } from '../../ui/ManagerName.tsx'
import { NewPassword } from '../../ui/NewPassword.tsx'
import { PolicyGate } from '../../ui/PolicyGate.tsx'
import { useNewPassword } from '../../ui/use-new-password.ts'
import { StepForm } from './StepForm.tsx'
import type { StepProps } from './Steps.tsx'
import { useTake } from './use-activation.ts'

export const PasswordStep = (props: StepProps) => (
  <PolicyGate>{(policy) => <Choosing {...props} policy={policy} />}</PolicyGate>
)

function Choosing({ activation, policy, onTaken, onSkip, onBack }: StepProps & { policy: PasswordPolicy }) {
  const { t } = useTranslation()
  const { account, name, proof } = activation
  const { value, setValue, ownWords, isReadyFor } = useNewPassword([account, name])
  const choose = useTake({ onDone: onTaken })
  const ofPassword = refusalAbout(choose.error, 'password.')
  return (
    <StepForm
      title={t('activation.password.title')}
      text={t('activation.password.text', { account })}
      verb={t('activation.next')}
      isReady={isReadyFor(policy)}
      isBusy={choose.isPending}
      error={ofPassword ? undefined : choose.error?.message}
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
