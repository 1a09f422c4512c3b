import { useTranslation } from 'react-i18next'

type Props = {
  /** Close: it only showed something. */
  verb?: 'cancel' | 'close'
  onLeave: (() => void) | undefined
}

/** The button that leaves a dialog and does nothing. */
export function LeaveButton({ verb = 'cancel', onLeave }: Props) {
  const { t } = useTranslation()
  return (
    <button type="button" className="button" onClick={onLeave}>
      {t(verb === 'close' ? 'action.close' : 'action.cancel')}
    </button>
  )
}
