import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'

export type Aria = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

type Props = {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** Says so at the label: most fields of most forms must be filled in. */
  isOptional?: boolean | undefined
  /** Told to a screen reader; not the browser's `required`, whose words come in its own language. */
  isRequired?: boolean | undefined
  /** Over the whole width of a form with two columns. */
  isWide?: boolean | undefined
  children: (aria: Aria) => ReactNode
}

/** A label, its control, a hint, and an error that is tied to the control. */
export function Field({ label, hint, error, isOptional = false, isRequired = false, isWide = false, children }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={isWide ? 'field field-wide' : 'field'}>
      <label htmlFor={id}>
        {/* Without a space the name of the field would end in "untiloptional". */}
        {label} {isOptional && <span className="field-optional">{t('form.optional')}</span>}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': isRequired || undefined,
      })}
      {hint && (
        <span className="muted" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span className="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  )
}
