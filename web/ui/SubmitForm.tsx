import { type ReactNode, useEffect } from 'react'
import { useFormSubmission } from './use-form-submission.ts'

type Props = {
  id?: string
  className: string
  /** All fields are valid. */
  isReady: boolean
  isBusy: boolean
  /** The last refusal: the focus moves to its field. */
  error?: Error | null
  onSubmit: () => void
  /** `submitted`: the button was pressed; mark missing input. */
  children: (submitted: boolean) => ReactNode
}

/** A form that is never submitted incomplete, nor twice: see `useFormSubmission`. */
export function SubmitForm({ id, className, isReady, isBusy, error = null, onSubmit, children }: Props) {
  const { ref, submitted, refuse } = useFormSubmission()
  useEffect(() => {
    if (error) ref.current?.querySelector<HTMLElement>('[aria-invalid], [data-refusal]')?.focus()
  }, [error, ref])
  return (
    <form
      id={id}
      ref={ref}
      className={className}
      // The browser's validation messages would be in its language, not the page's.
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) refuse()
        else if (!isBusy) onSubmit()
      }}
    >
      {children(submitted)}
    </form>
  )
}

/** A refusal that no field shows. */
export const RefusalLine = ({ children }: { children: string }) => (
  <p className="field-error" role="alert" tabIndex={-1} data-refusal>
    {children}
  </p>
)
