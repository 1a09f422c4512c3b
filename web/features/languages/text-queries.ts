import { queryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { queryLanguages, saveTexts, type TextInLanguage } from '#shared/contract/languages.ts'
import { call } from '../../platform/api.ts'
import { setOfferedLanguages } from '../../platform/i18n.ts'
import { notify } from '../../platform/notices.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { languagesQuery, queryClient } from '../../platform/queries.ts'
import { clearReplyCache } from '../../platform/reply-cache.ts'

export const TEXTS_KEY = 'texts'
const LANGUAGES_KEY = 'managed-languages'

/** All languages, including those not available. Coverage is expensive, so saving a text doesn't refetch it. */
export const managedLanguagesQuery = () =>
  queryOptions({
    queryKey: [LANGUAGES_KEY],
    queryFn: ({ signal }) => call(queryLanguages, { query: { id: 'all' }, body: {} }, { signal }),
  })

export const refreshTexts = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [TEXTS_KEY] })

/** `before` is the previous customised text. */
export type TextChange = { key: string; text: string | null; version: number; before: string | null }

async function write(language: Language, texts: Omit<TextChange, 'before'>[]): Promise<Map<string, TextInLanguage>> {
  const body = { texts: texts.map(({ key, text, version }) => ({ key, text, version })) }
  const saved = await call(saveTexts, { query: { id: language }, body })
  await refreshTexts()
  const inLanguage = saved.flatMap(({ key, texts: all }) => {
    const one = all.find((text) => text.language === language)
    return one ? [[key, one] as const] : []
  })
  return new Map(inLanguage)
}

/** Changes of one language that are saved together or not at all. */
type TextBatch = {
  language: Language
  changes: readonly TextChange[]
  onSaved?: (saved: ReadonlyMap<string, TextInLanguage>) => void
}

/** Saves texts, or with null goes back to the shipped ones, and offers one way back for all. @throws at the first batch that is refused. */
export async function saveChanges(batches: readonly TextBatch[]): Promise<void> {
  const former: { language: Language; texts: Omit<TextChange, 'before'>[] }[] = []
  let isOwn = false
  try {
    for (const { language, changes, onSaved } of batches) {
      const saved = await write(language, [...changes])
      former.push({
        language,
        texts: changes.map(({ key, before }) => ({ key, text: before, version: saved.get(key)?.version ?? 0 })),
      })
      isOwn ||= [...saved.values()].some(({ own }) => own !== null)
      onSaved?.(saved)
    }
  } finally {
    if (former.length > 0) offerUndo(former, isOwn)
  }
}

function offerUndo(
  former: readonly { language: Language; texts: Omit<TextChange, 'before'>[] }[],
  isOwn: boolean,
): void {
  const undo = async () => {
    for (const { language, texts } of former) await write(language, texts)
  }
  const count = former.flatMap(({ texts }) => texts).length
  notify('well', isOwn ? i18next.t('language-list.saved', { count }) : i18next.t('language-list.shipped-again'), {
    label: i18next.t('action.undo'),
    run: () => void undo().then(() => notify('well', i18next.t('language-list.undone')), notifyFailure),
  })
}

const refreshCoverage = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [LANGUAGES_KEY] })

/** Also refreshes the menus that offer languages. */
export async function refreshLanguages(): Promise<void> {
  clearReplyCache()
  await Promise.all([
    refreshTexts(),
    refreshCoverage(),
    queryClient.invalidateQueries({ queryKey: languagesQuery().queryKey }),
  ])
  setOfferedLanguages(await queryClient.fetchQuery(languagesQuery()))
}
