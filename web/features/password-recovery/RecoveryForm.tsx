import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSubmitted } from '../../ui/use-submitted.ts'
import type { Walk } from './use-recovery.ts'

type Props = {
  walk: Walk
  title: string
  text?: string | undefined
  /** Absent: the fields themselves lead on. */
  verb?: string
  isReady?: boolean
  isBusy?: boolean
  /** What was refused and is not told at a field. */
  error?: string | undefined
  onSubmit?: () => void
  onBack?: () => void
  /** `submitted`: the person has pressed the button; what still lacks is told at its field. */
  children: (submitted: boolean) => ReactNode
}

/** One step of a recovery: what it is for, its fields, and the ways on and back. */
export function RecoveryForm(props: Props) {
  const { walk, title, text, verb, isReady = true, isBusy = false, error, onSubmit, onBack, children } = props
  const { t } = useTranslation()
  const { ref, submitted, refuse } = useSubmitted()
  const heading = useRef<HTMLHeadingElement>(null)
  // Said where the person is when a step begins; not when the page opens.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step.
  useEffect(() => {
    if (walk.hasMoved) heading.current?.focus()
  }, [])
  return (
    <form
      ref={ref}
      className="recovery-step"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) refuse()
        else if (!isBusy) onSubmit?.()
      }}
    >
      <h2 ref={heading} tabIndex={-1} className="recovery-title">
        {title}
      </h2>
      {text && <p className="muted">{text}</p>}
      {children(submitted)}
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
        {onBack && (
          <button type="button" className="button" onClick={onBack}>
            {t('recovery.back')}
          </button>
        )}
      </div>
    </form>
  )
}
