import { type ReactNode, useId } from 'react'
import { failureText } from '../platform/failure-text.ts'
import { Dialog } from './Dialog.tsx'
import { LeaveButton } from './LeaveButton.tsx'
import { SavingStatus } from './SavingStatus.tsx'
import { RefusalLine, SubmitForm } from './SubmitForm.tsx'
import './form-dialog.css'

type Props = {
  title: string
  /** The action; absent: nothing to submit yet. */
  verb?: string | undefined
  isBusy: boolean
  /** All fields are valid. */
  isReady: boolean
  /** The last refusal. `told`: a field shows it already. */
  error: Error | null
  told: boolean
  onSubmit: () => void
  onClose: () => void
  /** The fields; `submitted`: mark missing input. */
  children: (submitted: boolean) => ReactNode
  /** Below the fields: an alternative, or a button to remove the item. */
  aside?: ReactNode
}

/** A dialog with a form about one's own account: Enter submits, a refusal focuses its field. */
export function SubmitDialog(props: Props) {
  const { title, verb, isBusy, isReady, error, told, onSubmit, onClose, children, aside } = props
  const formId = useId()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <LeaveButton onLeave={onClose} />
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
            {error && !told && <RefusalLine>{failureText(error)}</RefusalLine>}
          </>
        )}
      </SubmitForm>
      <SavingStatus isBusy={isBusy} />
      {aside}
    </Dialog>
  )
}
