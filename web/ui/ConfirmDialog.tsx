import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../platform/refusal.ts'
import { Dialog } from './Dialog.tsx'

type Props = {
  title: string
  /** The action, never "OK". */
  verb: string
  /** Red unless nothing is removed. */
  tone?: 'danger' | 'primary'
  /** The consequence, in words. */
  children: ReactNode
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/**
 * Asks for confirmation of something that is irreversible or far-reaching. Focus starts on Cancel; a refusal is shown
 * in the dialog.
 */
export function ConfirmDialog({ title, verb, tone = 'danger', children, onConfirm, onClose }: Props) {
  const { t } = useTranslation()
  const [state, setState] = useState<{ busy: boolean; error?: string }>({ busy: false })
  const confirm = async () => {
    if (state.busy) return
    setState({ busy: true })
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setState({ busy: false, error: error instanceof Refusal ? error.message : t('network.unreachable') })
    }
  }
  // A refusal of what was confirmed must find its dialog.
  const close = () => {
    if (!state.busy) onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <>
          <button
            type="button"
            className="button"
            data-first-focus
            aria-disabled={state.busy || undefined}
            onClick={close}
          >
            {t('action.cancel')}
          </button>
          <button
            type="button"
            className={`button button-${tone}`}
            // Disabled, it would lose the focus, which is needed after a refusal.
            aria-disabled={state.busy || undefined}
            onClick={() => void confirm()}
          >
            {verb}
          </button>
        </>
      }
    >
      {children}
      {state.error && (
        <p className="field-error" role="alert">
          {state.error}
        </p>
      )}
    </Dialog>
  )
}
