import { type ReactNode, useEffect } from 'react'
import { useFormSubmission } from './use-form-submission.ts'

type Props = {
  id?: string
  className: string
  /** Every field is as it has to be. */
  isReady: boolean
  isBusy: boolean
  /** What the server said last: the focus goes to what it is about. */
  error?: Error | null
  onSubmit: () => void
  /** `submitted`: the person has pressed the button; what still lacks says so. */
  children: (submitted: boolean) => ReactNode
}

/** A form that is never sent half filled in, nor twice: see `useSubmitted`. */
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
      // The browser's own words would come in its language, not in the page's.
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

/** What the server said and no field tells. */
export const RefusalLine = ({ children }: { children: string }) => (
  <p className="field-error" role="alert" tabIndex={-1} data-refusal>
    {children}
  </p>
)
