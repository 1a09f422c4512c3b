import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import type { PromptText } from '#shared/contract/prompt-pages.ts'
import { Breakable } from '../../ui/Breakable.tsx'
import { TextCell } from './TextCell.tsx'
import type { TextDrafts } from './text-drafts.ts'

type Props = {
  texts: readonly PromptText[]
  language: Language
  /** The key of the open text. */
  chosen: string | null
  onChoose: (key: string | null) => void
  drafts: TextDrafts
}

/** The texts of a screen in one language, in the order of its states; the chosen one is a field. */
export function PromptTexts({ texts, language, chosen, onChoose, drafts }: Props) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const list = useRef<HTMLElement>(null)
  // The bar that comes with an unsaved text must not cover the field in which somebody types.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time another text is chosen, and when the bar may have come.
  useEffect(() => {
    if (chosen !== null) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, drafts.all.length])
  const wanted = search.trim().toLowerCase()
  const rows = texts.flatMap((text) => {
    const one = text.texts.find((candidate) => candidate.language === language)
    if (!one) return []
    const isFound = wanted === '' || `${text.key} ${one.text}`.toLowerCase().includes(wanted)
    return isFound || text.key === chosen ? [{ text, one }] : []
  })
  return (
    <section ref={list} className="prompt-texts" aria-label={t('language-list.texts')}>
      <input
        type="search"
        className="input"
        placeholder={t('prompt-page.search')}
        aria-label={t('prompt-page.search')}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <p className="muted" role="status">
        {t('prompt-page.count', { count: rows.length })}
      </p>
      <ul>
        {rows.map(({ text, one }) => (
          <li key={text.key} aria-current={text.key === chosen || undefined}>
            <TextCell
              name={text.key}
              one={one}
              placeholders={text.placeholders}
              drafts={drafts}
              isOpen={text.key === chosen}
              onOpen={(isOpen) => onChoose(isOpen ? text.key : null)}
            />
            <span className="prompt-key">
              <code className="text-key">
                <Breakable text={text.key} />
              </code>
              {text.key === chosen && (
                <Link to="/manage/language-list" search={{ search: text.key, open: text.key }}>
                  {t('prompt-page.all-languages')}
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
