import { type ReactNode, useContext, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSubmitted } from '../../ui/use-submitted.ts'
import { ToldContext } from './told.ts'

type Props = {
  title: string
  text?: string | undefined
  verb: string
  isReady: boolean
  isBusy: boolean
  /** What was refused and is not told at a field. */
  error?: string | undefined
  onSubmit: () => void
  onBack?: (() => void) | undefined
  onSkip?: (() => void) | undefined
  /** `submitted`: the person has pressed the button; what still lacks is told at its field. */
  children?: (submitted: boolean) => ReactNode
}

/** One step of the activation: what it is for, its fields, and the ways on and back. */
export function StepForm({ title, text, verb, isReady, isBusy, error, onSubmit, onBack, onSkip, children }: Props) {
  const { t } = useTranslation()
  const { ref, submitted, refuse } = useSubmitted()
  return (
    <form
      ref={ref}
      className="activation-step"
      // The browser's own words would come in its language, not in the page's.
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) refuse()
        else if (!isBusy) onSubmit()
      }}
    >
      <StepTitle title={title} />
      {text && <p className="muted">{text}</p>}
      {children?.(submitted)}
      {error && (
        <p className="banner banner-danger" role="alert">
          {error}
        </p>
      )}
      <div className="form-actions">
        <button type="submit" className="button button-primary" aria-disabled={isBusy}>
          {verb}
        </button>
        {onSkip && (
          <button type="button" className="button" onClick={onSkip}>
            {t('activation.skip')}
          </button>
        )}
        {onBack && (
          <button type="button" className="button button-quiet" onClick={onBack}>
            {t('activation.back')}
          </button>
        )}
      </div>
    </form>
  )
}

/** Takes the focus when a step begins, so that it is said where the person is; not when the page opens. */
export function StepTitle({ title }: { title: string }) {
  const ref = useRef<HTMLHeadingElement>(null)
  const { isOpen } = useContext(ToldContext)
  useEffect(() => {
    if (isOpen.current) ref.current?.focus()
  }, [isOpen])
  return (
    <h2 ref={ref} tabIndex={-1} className="activation-title">
      {title}
    </h2>
  )
}
