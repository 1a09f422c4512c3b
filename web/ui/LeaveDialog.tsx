import { useTranslation } from 'react-i18next'
import { Dialog } from './Dialog.tsx'

type Props = {
  /** What would be lost: what was typed, or what is shown this once. */
  what: 'unsaved' | 'uncopied'
  onLeave: () => void
  onStay: () => void
}

/** Asks whoever is about to lose something. */
export function LeaveDialog({ what, onLeave, onStay }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t(`${what}.title`)}
      onClose={onStay}
      actions={
        <>
          <button type="button" className="button" onClick={onLeave}>
            {t(`${what}.leave`)}
          </button>
          <button type="button" className="button button-primary" data-first-focus onClick={onStay}>
            {t(`${what}.stay`)}
          </button>
        </>
      }
    >
      <p>{t(`${what}.text`)}</p>
    </Dialog>
  )
}
