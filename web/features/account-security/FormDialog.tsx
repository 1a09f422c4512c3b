import { type ReactNode, useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { useSubmitted } from '../../ui/use-submitted.ts'
import './account-security.css'

type Props = {
  title: string
  /** What the button does. */
  verb: string
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

/** A dialog around a form: Enter submits, a refusal leads to the field that it is about. */
export function FormDialog(props: Props) {
  const { title, verb, isBusy, isReady, error, told, onSubmit, onClose, children, aside } = props
  const { t } = useTranslation()
  const { ref, submitted, refuse } = useSubmitted()
  const formId = useId()
  useEffect(() => {
    if (error) ref.current?.querySelector<HTMLElement>('[aria-invalid], [data-refusal]')?.focus()
  }, [error, ref])
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('action.cancel')}
          </button>
          <button type="submit" form={formId} className="button button-primary" aria-disabled={isBusy}>
            {verb}
          </button>
        </>
      }
    >
      <form
        id={formId}
        ref={ref}
        className="dialog-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isReady) refuse()
          else if (!isBusy) onSubmit()
        }}
      >
        {children(submitted)}
        {error && !told && (
          <p className="field-error" role="alert" tabIndex={-1} data-refusal>
            {error.message}
          </p>
        )}
      </form>
      {aside}
    </Dialog>
  )
}
