import { type ComponentProps, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { StepForm as SharedStepForm, StepTitle as SharedStepTitle } from '../../ui/StepForm.tsx'
import { ActivationContext } from './activation-context.ts'

type Props = Omit<ComponentProps<typeof SharedStepForm>, 'takesFocus' | 'otherActions'> & {
  onBack?: (() => void) | undefined
  onSkip?: (() => void) | undefined
}

/** One step of the activation, with its buttons to skip and to go back. */
export function ActivationStepForm({ onBack, onSkip, ...step }: Props) {
  const { t } = useTranslation()
  const { isOpen } = useContext(ActivationContext)
  return (
    <SharedStepForm
      {...step}
      takesFocus={() => isOpen.current}
      otherActions={
        <>
          {onSkip && (
            <button type="button" className="button" onClick={onSkip}>
              {t('activation.skip')}
            </button>
          )}
          {onBack && (
            <button type="button" className="button button-quiet" onClick={onBack}>
              {t('activation.back')}
            </button>
          )}
        </>
      }
    />
  )
}

export function StepTitle({ title }: { title: string }) {
  const { isOpen } = useContext(ActivationContext)
  return <SharedStepTitle title={title} takesFocus={() => isOpen.current} />
}
