import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findPromptPage, type PromptPageName, type PromptText } from '#shared/contract/prompt-pages.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import type { ChooseText, FromPreview } from '#shared/rules/prompt-preview.ts'
import { call } from '../../platform/api.ts'
import { currentLanguage, type MessageKey } from '../../platform/i18n.ts'
import { useValues } from '../../ui/list-state.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { PreviewFrame, usePreview } from '../../ui/PreviewFrame.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { DraftBar } from './DraftBar.tsx'
import { PromptTexts } from './PromptTexts.tsx'
import { typedTexts } from './text-draft.ts'
import { useTextDrafts } from './text-drafts.ts'
import { managedLanguagesQuery, TEXTS_KEY } from './text-queries.ts'
import './language-list.css'
import './prompt-page.css'

const SIZES = ['phone', 'desktop'] as const

/**
 * The real screen next to its texts: clicking a text on the screen opens its field, and opening a field shows the text
 * on the screen.
 */
export function PromptPage({ page }: { page: PromptPageName }) {
  const { t } = useTranslation()
  const found = useQuery({
    queryKey: [TEXTS_KEY, 'prompt', page],
    queryFn: ({ signal }) => call(findPromptPage, { query: { page } }, { signal }),
  })
  return (
    <div className="prompt-page">
      <PageTitle>{t(`prompt-page.${page}`)}</PageTitle>
      <p className="muted">{t('prompt-page.explain')}</p>
      {found.isError && <FailedBlock error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton lines={8} />}
      {found.data && <Workbench key={page} page={page} {...found.data} />}
    </div>
  )
}

type WorkbenchProps = { page: PromptPageName; screens: readonly string[]; texts: readonly PromptText[] }

function Workbench({ page, screens, texts }: WorkbenchProps) {
  const { t } = useTranslation()
  const screenName = (name: string) =>
    name.startsWith('notice-')
      ? t(`notice.${name.slice('notice-'.length)}.title` as MessageKey)
      : t(`prompt-screen.${name}` as MessageKey)
  const [values, change] = useValues('address')
  const asked = values['language']
  const isKnown = texts.some((text) => text.texts.some((one) => one.language === asked))
  const language = isKnown && asked ? asked : currentLanguage()
  const { screen, key, error, choose, show } = useShownScreen(screens, texts)
  const [size, setSize] = useState<(typeof SIZES)[number]>('phone')
  const drafts = useTextDrafts()
  const { data: languages = [] } = useQuery(managedLanguagesQuery())
  const frame = useChosenText(key)
  const preview = usePreview(drafts.all.length > 0 ? { texts: typedTexts(drafts.all) } : {})
  const hear = (data: unknown, from: Window) => {
    const message = data as FromPreview | null
    if (message?.type === 'gatehouse-shown-texts') frame.isReady(from)
    if (message?.type === 'gatehouse-text-chosen') choose(message.key, true)
  }
  // A saved text needs a new document in the frame.
  const edition = texts.map(({ texts: all }) => all.find((one) => one.language === language)?.version ?? 0).join('')
  return (
    <div className="prompt-workbench">
      <section className="prompt-screen" aria-label={t('prompt-page.preview')}>
        <div className="preview-tools">
          <SelectField
            label={t('prompt-page.screen')}
            value={screen}
            options={screens.map((value) => ({ value, label: screenName(value) }))}
            onChange={(next) => next && show(next)}
          />
          <SelectField
            label={t('preview.language')}
            value={language}
            options={languages.map(({ code, name, enabled }) => ({
              value: code,
              label: enabled ? name : t('language-list.not-offered', { name }),
              lang: languageTag(code),
            }))}
            onChange={(next) => next && change({ language: next })}
          />
          <SelectField
            label={t('preview.size')}
            value={size}
            options={SIZES.map((value) => ({ value, label: t(`preview.size.${value}`) }))}
            onChange={(next) => next && setSize(next)}
          />
        </div>
        <PreviewFrame
          preview={preview}
          page={`tip-edit/${page}/${screen}`}
          title={t('preview.frame', { page: t(`prompt-page.${page}`) })}
          language={language}
          size={size}
          query={{ edition: hashOf(edition), ...(error !== null && { key: error }) }}
          isActive
          onMessage={hear}
        />
      </section>
      <PromptTexts texts={texts} language={language} chosen={key} onChoose={choose} drafts={drafts} />
      <DraftBar drafts={drafts} />
    </div>
  )
}

/** The screen in the frame, its selected text, and the error shown, which stays when its field is closed. */
function useShownScreen(screens: readonly string[], texts: readonly PromptText[]) {
  const [screen, setScreen] = useState(screens[0] ?? '')
  const [key, setKey] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const choose = (next: string | null, isOnScreen = false) => {
    setKey(next)
    const text = texts.find((one) => one.key === next)
    if (!text || isOnScreen) return
    setScreen(text.screen)
    setError(text.key.split('.')[0] === 'errors' ? text.key : null)
  }
  const show = (next: string) => {
    setKey(null)
    setError(null)
    setScreen(next)
  }
  return { screen, key, error, choose, show }
}

/** Short, and changes with the texts. */
const hashOf = (text: string): string =>
  [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 7).toString(36)

/** Tells the frame which text is selected, and again after each reload of the frame. */
function useChosenText(key: string | null) {
  const frame = useRef<Window | null>(null)
  const latest = useRef(key)
  latest.current = key
  const tell = () => {
    const message: ChooseText | null =
      latest.current === null ? null : { type: 'gatehouse-choose-text', key: latest.current }
    if (message) frame.current?.postMessage(message, location.origin)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time another text is chosen.
  useEffect(tell, [key])
  const isReady = (from: Window) => {
    frame.current = from
    tell()
  }
  return { isReady }
}
