import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { TextInLanguage } from '#shared/contract/languages.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { TextEditor } from './TextEditor.tsx'
import { useLanguageName } from './use-language-name.ts'

type Props = {
  /** The key of the text. */
  name: string
  one: TextInLanguage
  placeholders: readonly string[]
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onTyped?: (text: string | null) => void
}

/** A text in one language; pressed, its field opens in its place. */
export function TextCell({ name, one, placeholders, isOpen, onOpen, onTyped }: Props) {
  const { t } = useTranslation()
  const language = useLanguageName(one.language)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  // With its field the focus would be gone: it goes on from the text, unless it is elsewhere already.
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) {
      button.current?.focus({ preventScroll: true })
    }
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <div className="text-cell">
      <span className="text-cell-head">
        <span className="muted" lang={languageTag(one.language)}>
          {language}
        </span>
        <TextMarks one={one} />
      </span>
      {isOpen ? (
        <TextEditor
          // What was typed in one language is no text of another.
          key={one.language}
          name={name}
          one={one}
          placeholders={placeholders}
          onDone={() => onOpen(false)}
          onTyped={onTyped}
        />
      ) : (
        <button
          ref={button}
          type="button"
          className="text-open"
          lang={languageTag(one.language)}
          dir="auto"
          aria-label={t('language-list.edit-one', { language, text: one.text })}
          onClick={() => onOpen(true)}
        >
          {one.text}
        </button>
      )}
    </div>
  )
}

/** Whose text it is, and what may be a mistake in it. */
export function TextMarks({ one }: { one: TextInLanguage }) {
  const { t } = useTranslation()
  return (
    <>
      {one.own !== null && <span className="tag">{t('language-list.state.own')}</span>}
      {one.warnings.map((warning) => (
        <span key={warning} className="tag tag-caution">
          {t(`language-list.warning.${warning}`)}
        </span>
      ))}
    </>
  )
}
