import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { TextInLanguage } from '#shared/contract/languages.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { TextEditor } from './TextEditor.tsx'
import type { TextDrafts } from './text-drafts.ts'
import { useLanguageName } from './use-language-name.ts'

type Props = {
  /** The key of the text. */
  name: string
  /** What the text is, where a heading says so instead of the key. */
  part?: string
  one: TextInLanguage
  placeholders: readonly string[]
  drafts: TextDrafts
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** A text in one language, or what was typed of it; pressed, its field opens in its place. */
export function TextCell({ name, part, one, placeholders, drafts, isOpen, onOpen }: Props) {
  const { t } = useTranslation()
  const language = useLanguageName(one.language)
  const draft = drafts.find(one.language, name)
  const text = draft?.text ?? one.text
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  // Closing the field would lose the focus: return it to the text, unless it has moved on.
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
        {draft && !isOpen && <span className="tag tag-caution">{t('language-list.unsaved')}</span>}
        <TextMarks one={one} />
      </span>
      {isOpen ? (
        <TextEditor
          // Why one language is refused is nothing about another.
          key={one.language}
          name={name}
          label={part && t('message-template.field', { part, language })}
          one={one}
          placeholders={placeholders}
          drafts={drafts}
          onDone={() => onOpen(false)}
        />
      ) : (
        <button
          ref={button}
          type="button"
          className="text-open"
          lang={languageTag(one.language)}
          dir="auto"
          aria-label={t('language-list.edit-one', { language, text })}
          onClick={() => onOpen(true)}
        >
          {text}
        </button>
      )}
      {draft?.problem && !isOpen && <p className="field-error">{draft.problem}</p>}
    </div>
  )
}

/** Marks: customised, and possible mistakes. */
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
