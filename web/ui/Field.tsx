import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { describedBy, useFixedReason } from './fixed-field.ts'

export type FieldAria = {
  id: string
  /** If the label is not a `<label>`. */
  'aria-labelledby': string | undefined
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

type Props = {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** Marks the label: most fields are required. */
  isOptional?: boolean | undefined
  /** For screen readers; not the browser's `required`, whose messages are in its own language. */
  isRequired?: boolean | undefined
  /** For several controls, or one that a `<label>` can't be tied to: the label is text that names them. */
  isGroup?: boolean | undefined
  /** Spans both columns of the form. */
  isWide?: boolean | undefined
  children: (aria: FieldAria) => ReactNode
}

/** A label, its control, a hint, and an error tied to the control. */
export function Field(props: Props) {
  const { label, hint, error, isOptional = false, isRequired = false, isGroup = false, isWide = false } = props
  const { t } = useTranslation()
  const id = useId()
  const fixed = useFixedReason()
  const text = (
    <>
      {/* Without a space the accessible name would end in "untiloptional". */}
      {label} {isOptional && <span className="field-optional">{t('form.optional')}</span>}
    </>
  )
  return (
    <div className={isWide ? 'field field-wide' : 'field'}>
      {isGroup ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard reaches the control itself.
        // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
        <span className="field-label" id={`${id}-label`} onClick={() => focusFirst(id)}>
          {text}
        </span>
      ) : (
        <label htmlFor={id}>{text}</label>
      )}
      {props.children({
        id,
        'aria-labelledby': isGroup ? `${id}-label` : undefined,
        'aria-describedby': describedBy(hint && `${id}-hint`, error && `${id}-error`, fixed),
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

/** Like a click on a `<label>`. */
function focusFirst(id: string): void {
  const field = document.getElementById(id)
  const first = field?.matches('button') ? field : field?.querySelector<HTMLElement>('[tabindex="0"], button')
  first?.focus()
}
