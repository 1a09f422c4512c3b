import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Activation, type ActivationStep, skipActivationStep } from '#shared/contract/activation.ts'
import { call } from '../../platform/api.ts'
import { ActivationStepForm } from './ActivationStepForm.tsx'
import type { StepProps } from './activation-step.types.ts'
import { BindStep } from './BindStep.tsx'
import { FinishStep } from './FinishStep.tsx'
import { IdentityStep } from './IdentityStep.tsx'
import { PasswordStep } from './PasswordStep.tsx'
import { ProfileStep } from './ProfileStep.tsx'
import { QuestionsStep } from './QuestionsStep.tsx'
import { useStepMutation } from './use-activation.ts'

/** The current step, or an earlier one that the person returned to. */
export function ActivationSteps({
  activation,
  back,
  onBack,
}: {
  activation: Activation
  back: ActivationStep | null
  onBack: (to: ActivationStep | null) => void
}) {
  const [changes, setChanges] = useState(false)
  const { steps } = activation
  const due = steps.find(({ state }) => state === 'open')
  const shown = steps.find(({ step }) => step === back) ?? due
  const former = steps.slice(0, shown ? steps.indexOf(shown) : undefined).findLast(({ mayChange }) => mayChange)
  const goTo = (to: ActivationStep | null) => {
    setChanges(false)
    onBack(to)
  }
  const goBack = former ? () => goTo(former.step) : undefined
  if (!shown) return <FinishStep activation={activation} onBack={goBack} />
  if (shown.state !== 'open' && !changes) {
    return (
      <FinishedStep
        key={shown.step}
        shown={shown}
        onKeep={() => goTo(nextReviewable(steps, shown.step))}
        onChange={() => setChanges(true)}
        onBack={goBack}
      />
    )
  }
  return (
    <OpenStep
      key={`${shown.step} ${activation.proof}`}
      activation={activation}
      shown={shown}
      onTaken={() => goTo(null)}
      onBack={goBack}
    />
  )
}

type PlannedStep = Activation['steps'][number]

/** The next step that can be reviewed; null: the current one. */
function nextReviewable(steps: readonly PlannedStep[], from: ActivationStep): ActivationStep | null {
  const at = steps.findIndex(({ step }) => step === from)
  return steps.slice(at + 1).find(({ state, mayChange }) => state === 'open' || mayChange)?.step ?? null
}

type OpenProps = { activation: Activation; shown: PlannedStep; onTaken: () => void; onBack: (() => void) | undefined }

function OpenStep({ activation, shown, onTaken, onBack }: OpenProps) {
  const skip = useStepMutation({ onDone: onTaken })
  const { step, need } = shown
  const skipStep = () => skip.mutate(() => call(skipActivationStep, { body: { proof: activation.proof, step } }))
  const onSkip = need === 'optional' ? skipStep : undefined
  const props: StepProps = { activation, onTaken, onSkip, onBack }
  switch (step) {
    case 'identity':
      return <IdentityStep activation={activation} onSkip={onSkip} />
    case 'password':
      return <PasswordStep {...props} />
    case 'security-questions':
      return <QuestionsStep {...props} />
    case 'phone':
    case 'mailbox':
      return <BindStep {...props} kind={step} />
    case 'profile':
      return <ProfileStep {...props} />
  }
}

type FinishedProps = { shown: PlannedStep; onKeep: () => void; onChange: () => void; onBack: (() => void) | undefined }

/** A finished step: keeps its value unless the person changes it. */
function FinishedStep({ shown: { step, state, about }, onKeep, onChange, onBack }: FinishedProps) {
  const { t } = useTranslation()
  return (
    <ActivationStepForm
      title={t(`activation.step.${step}`)}
      text={about ?? t(state === 'done' ? 'activation.taken' : 'activation.left-out')}
      verb={t('activation.keep')}
      isReady
      isBusy={false}
      onSubmit={onKeep}
      onBack={onBack}
    >
      {() => (
        <button type="button" className="button activation-change" onClick={onChange}>
          {t(state === 'done' ? 'activation.change' : 'activation.set-now')}
        </button>
      )}
    </ActivationStepForm>
  )
}
