import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormSubmission } from '../../ui/use-form-submission.ts'

type SubmitState = { submitted: boolean; refuse: () => void }

/** The props of every step. */
export type StepControls = {
  label: string
  isFirst: boolean
  isLast: boolean
  isBusy: boolean
  error: string | undefined
  onNext: () => void
  onBack: () => void
  /** Absent: this step is required. */
  onSkip?: (() => void) | undefined
}

type Props = StepControls & {
  isReady: boolean
  children: (state: SubmitState) => ReactNode
}

/** One step of the wizard: its fields, and buttons to continue, go back and skip. */
export function SetupStep({ label, isReady, isFirst, isLast, isBusy, error, onNext, onBack, onSkip, children }: Props) {
  const { t } = useTranslation()
  const { ref, submitted, refuse } = useFormSubmission()
  useEffect(() => {
    // The first step is part of the page load, which sets its own focus.
    if (isFirst) return
    ref.current?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }, [isFirst, ref])
  return (
    <form
      ref={ref}
      className="card form-card"
      aria-label={label}
      tabIndex={-1}
      // The browser's validation messages would be in its language, not the page's.
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) refuse()
        else if (!isBusy) onNext()
      }}
    >
      {children({ submitted, refuse })}
      {error && (
        <p className="banner banner-danger" role="alert">
          {error}
        </p>
      )}
      <div className="form-actions">
        <button type="submit" className="button button-primary" aria-disabled={isBusy}>
          {t(isLast ? 'setup.submit' : 'setup.next')}
        </button>
        {onSkip && (
          <button type="button" className="button" aria-disabled={isBusy} onClick={() => !isBusy && onSkip()}>
            {t(isLast ? 'setup.skip-and-finish' : 'setup.skip')}
          </button>
        )}
        {!isFirst && (
          <button type="button" className="button button-quiet" onClick={onBack}>
            {t('setup.back')}
          </button>
        )}
      </div>
    </form>
  )
}
