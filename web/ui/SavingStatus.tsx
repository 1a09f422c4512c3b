import { useTranslation } from 'react-i18next'
import { useSlow } from './use-slow.ts'
import './form-dialog.css'

/** Announces that a save is in progress: a grey button is invisible to screen readers. */
export function SavingStatus({ isBusy, text }: { isBusy: boolean; text?: string }) {
  const { t } = useTranslation()
  const isSlow = useSlow(isBusy)
  // A live region must exist before its content.
  return (
    <p className="muted saving-line" role="status">
      {isSlow && (text ?? t('form.saving'))}
    </p>
  )
}
