import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './Dialog.tsx'
import { FailureLine } from './FailureLine.tsx'
import { SavingStatus } from './SavingStatus.tsx'
import { useDialogRequest } from './use-dialog-request.ts'

type Props = {
  title: string
  /** The action, never "OK". */
  verb: string
  /** Red unless nothing is removed. */
  tone?: 'danger' | 'primary'
  /** The consequence, in words. */
  children: ReactNode
  size?: 'narrow' | 'wide'
  /** The answer shows something only once: the dialog waits for it. */
  isAwaited?: boolean
  /** False: what will happen can't be seen yet. */
  isReady?: boolean
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/**
 * Asks for confirmation of something that is irreversible or far-reaching. Focus starts on Cancel; a refusal is shown
 * in the dialog.
 */
export function ConfirmDialog(props: Props) {
  const { title, verb, tone = 'danger', size = 'narrow', children, onConfirm, onClose } = props
  const { isAwaited = false, isReady = true } = props
  const { t } = useTranslation()
  const { state, isHeld, run, leave } = useDialogRequest({ title, isAwaited, onClose })
  const close = () => {
    if (!isHeld) leave()
  }
  return (
    <Dialog
      title={title}
      size={size}
      onClose={close}
      actions={
        <>
          <button type="button" className="button" data-first-focus aria-disabled={isHeld || undefined} onClick={close}>
            {t('action.cancel')}
          </button>
          <button
            type="button"
            className={`button button-${tone}`}
            // Disabled, it would lose the focus, which is needed after a refusal.
            aria-disabled={state.busy || !isReady || undefined}
            onClick={() => isReady && void run(onConfirm)}
          >
            {verb}
          </button>
        </>
      }
    >
      {children}
      <FailureLine error={state.error} />
      <SavingStatus isBusy={state.busy} text={t('form.working')} />
    </Dialog>
  )
}
