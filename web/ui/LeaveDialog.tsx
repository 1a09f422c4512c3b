import { useTranslation } from 'react-i18next'
import { Dialog } from './Dialog.tsx'

type Props = {
  /** What would be lost: unsaved input, also if what is being saved is refused, or something shown only once. */
  what: 'unsaved' | 'saving' | 'uncopied'
  onLeave: () => void
  onStay: () => void
}

/** Asks before something is lost. */
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
