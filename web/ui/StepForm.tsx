import { type ReactNode, useEffect, useRef } from 'react'
import { SubmitForm } from './SubmitForm.tsx'
import './step-form.css'

type Props = {
  title: string
  text?: string | undefined
  /** Absent: the fields have their own buttons. */
  verb?: string | undefined
  isReady?: boolean
  isBusy?: boolean
  /** A refusal that belongs to no field. */
  error?: string | undefined
  /** Called when the step begins. */
  takesFocus: () => boolean
  onSubmit?: (() => void) | undefined
  /** Next to the button: back and skip. */
  otherActions?: ReactNode
  children?: ((submitted: boolean) => ReactNode) | undefined
}

/** One of several steps: purpose, fields, and buttons. */
export function StepForm(props: Props) {
  const {
    title,
    text,
    verb,
    isReady = true,
    isBusy = false,
    error,
    takesFocus,
    onSubmit,
    otherActions,
    children,
  } = props
  return (
    <SubmitForm className="step-form" isReady={isReady} isBusy={isBusy} onSubmit={() => onSubmit?.()}>
      {(submitted) => (
        <>
          <StepTitle title={title} takesFocus={takesFocus} />
          {text && <p className="muted">{text}</p>}
          {children?.(submitted)}
          {error && (
            <p className="banner banner-danger" role="alert">
              {error}
            </p>
          )}
          <div className="form-actions">
            {verb && (
              <button type="submit" className="button button-primary" aria-disabled={isBusy}>
                {verb}
              </button>
            )}
            {otherActions}
          </div>
        </>
      )}
    </SubmitForm>
  )
}

/** Takes the focus when a step begins, so that it is announced; not when the page opens. */
export function StepTitle({ title, takesFocus }: { title: string; takesFocus: () => boolean }) {
  const ref = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step.
  useEffect(() => {
    if (takesFocus()) ref.current?.focus()
  }, [])
  return (
    <h2 ref={ref} tabIndex={-1} className="step-title">
      {title}
    </h2>
  )
}
