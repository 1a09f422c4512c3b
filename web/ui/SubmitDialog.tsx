import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './Dialog.tsx'
import { SavingStatus } from './SavingStatus.tsx'
import { RefusalLine, SubmitForm } from './SubmitForm.tsx'
import './form-dialog.css'

type Props = {
  title: string
  /** What the button does; absent: there is nothing to send yet. */
  verb?: string | undefined
  isBusy: boolean
  /** Every field is as it has to be. */
  isReady: boolean
  /** What the server said last. `told`: a field says it already. */
  error: Error | null
  told: boolean
  onSubmit: () => void
  onClose: () => void
  /** The fields; `submitted`: those that lack something say so. */
  children: (submitted: boolean) => ReactNode
  /** Below the fields: another way on, or the way to take the thing away. */
  aside?: ReactNode
}

/** A dialog around a form about one's own account: Enter submits, a refusal leads to the field that it is about. */
export function SubmitDialog(props: Props) {
  const { title, verb, isBusy, isReady, error, told, onSubmit, onClose, children, aside } = props
  const { t } = useTranslation()
  const formId = useId()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('action.cancel')}
          </button>
          {verb && (
            <button type="submit" form={formId} className="button button-primary" aria-disabled={isBusy}>
              {verb}
            </button>
          )}
        </>
      }
    >
      <SubmitForm
        id={formId}
        className="form-dialog"
        isReady={isReady}
        isBusy={isBusy}
        error={error}
        onSubmit={onSubmit}
      >
        {(submitted) => (
          <>
            {children(submitted)}
            {error && !told && <RefusalLine>{error.message}</RefusalLine>}
          </>
        )}
      </SubmitForm>
      <SavingStatus isBusy={isBusy} />
      {aside}
    </Dialog>
  )
}
