import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'

type Props = {
  title: string
  isDirty: boolean
  isSaving: boolean
  error: string | undefined
  onSave: () => void
  onDiscard: () => void
  children: ReactNode
}

/** A section that is saved separately; its buttons appear with the first change. */
export function SectionForm({ title, isDirty, isSaving, error, onSave, onDiscard, children }: Props) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <form
      className="card personal-section"
      aria-labelledby={id}
      noValidate
      onKeyDown={ignoreComposingEnter}
      onSubmit={(event) => {
        event.preventDefault()
        if (isDirty && !isSaving) onSave()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      {isDirty && (
        <div className="personal-actions">
          <button type="submit" className="button button-primary" aria-disabled={isSaving}>
            {t('personal-data.save')}
          </button>
          <button type="button" className="button" onClick={onDiscard}>
            {t('personal-data.discard')}
          </button>
          <span className="muted">{t('personal-data.unsaved')}</span>
        </div>
      )}
    </form>
  )
}

/** Enter that ends an IME composition must not submit the form. */
function ignoreComposingEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.nativeEvent.isComposing) event.preventDefault()
}
