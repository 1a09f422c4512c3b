import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { StepForm } from '../../ui/StepForm.tsx'
import type { RecoveryFlow } from './use-recovery-flow.ts'

type Props = Omit<ComponentProps<typeof StepForm>, 'takesFocus' | 'otherActions'> & {
  walk: RecoveryFlow
  onBack?: () => void
}

/** One step of a recovery, with a back button. */
export function RecoveryForm({ walk, onBack, ...step }: Props) {
  const { t } = useTranslation()
  return (
    <StepForm
      {...step}
      takesFocus={() => walk.hasMoved}
      otherActions={
        onBack && (
          <button type="button" className="button" onClick={onBack}>
            {t('recovery.back')}
          </button>
        )
      }
    />
  )
}
