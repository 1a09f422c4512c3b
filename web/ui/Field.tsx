import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'

export type FieldAria = {
  id: string
  /** Where the label is no `<label>`. */
  'aria-labelledby': string | undefined
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
  /** Of more than one control, or of one that no `<label>` can stand for: the label is text, which names them. */
  isGroup?: boolean | undefined
  /** Over the whole width of a form with two columns. */
  isWide?: boolean | undefined
  children: (aria: FieldAria) => ReactNode
}

/** A label, its control, a hint, and an error that is tied to the control. */
export function Field(props: Props) {
  const { label, hint, error, isOptional = false, isRequired = false, isGroup = false, isWide = false } = props
  const { t } = useTranslation()
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const text = (
    <>
      {/* Without a space the name of the field would end in "untiloptional". */}
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

/** As a click on a `<label>` does. */
function focusFirst(id: string): void {
  const field = document.getElementById(id)
  const first = field?.matches('button') ? field : field?.querySelector<HTMLElement>('[tabindex="0"], button')
  first?.focus()
}
