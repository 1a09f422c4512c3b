import { useTranslation } from 'react-i18next'
import { type Activation, completeActivation } from '#shared/contract/activation.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ActivationStepForm } from './ActivationStepForm.tsx'
import { useStepMutation } from './use-activation.ts'

type Props = { activation: Activation; onBack: (() => void) | undefined }

/** A summary, and the button that completes the activation. */
export function FinishStep({ activation, onBack }: Props) {
  const { t } = useTranslation()
  const { proof, account, name } = activation
  const finish = useStepMutation({ isLast: true })
  return (
    <ActivationStepForm
      title={t('activation.finish.title')}
      text={t('activation.finish.text', { account, name })}
      verb={t('activation.finish.verb')}
      isReady
      isBusy={finish.isPending}
      error={failureText(finish.error)}
      onSubmit={() => finish.mutate(() => call(completeActivation, { body: { proof } }))}
      onBack={onBack}
    >
      {() => <ActivationSummary activation={activation} />}
    </ActivationStepForm>
  )
}

/** Every step with its outcome. */
export function ActivationSummary({ activation: { steps } }: { activation: Activation }) {
  const { t } = useTranslation()
  return (
    <ul className="activation-summary">
      {steps.map(({ step, state, about }) => (
        <li key={step} className={state === 'done' ? 'done' : undefined}>
          {state === 'done' ? <Icon name="check" /> : <span className="activation-dash">–</span>}
          <span>{t(`activation.step.${step}`)}</span>
          <span className="muted">
            {about ??
              t(step === 'identity' && state === 'done' ? 'activation.state.proved' : `activation.state.${state}`)}
          </span>
        </li>
      ))}
    </ul>
  )
}
