import { queryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { queryLanguages, saveTexts, type TextInLanguage } from '#shared/contract/languages.ts'
import { call } from '../../platform/api.ts'
import { setOfferedLanguages } from '../../platform/i18n.ts'
import { notify } from '../../platform/notices.ts'
import { languagesQuery, queryClient } from '../../platform/queries.ts'
import { clearReplyCache } from '../../platform/reply-cache.ts'

export const TEXTS_KEY = 'texts'
const LANGUAGES_KEY = 'managed-languages'

/** All languages, those that are not offered too. Their coverage costs a look at every text, so no saved text asks for it again. */
export const managedLanguagesQuery = () =>
  queryOptions({
    queryKey: [LANGUAGES_KEY],
    queryFn: ({ signal }) => call(queryLanguages, { query: { id: 'all' }, body: {} }, { signal }),
  })

export const refreshTexts = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [TEXTS_KEY] })

type Change = { language: Language; key: string; text: string | null; version: number }

async function write({ language, key, text, version }: Change): Promise<TextInLanguage | undefined> {
  const [saved] = await call(saveTexts, { query: { id: language }, body: { texts: [{ key, text, version }] } })
  await refreshTexts()
  return saved?.texts.find((one) => one.language === language)
}

/** Saves a text, or with null goes back to the shipped one, and offers the way back. */
export async function saveText(change: Change, before: string | null): Promise<void> {
  const saved = await write(change)
  const undo = () => {
    write({ ...change, text: before, version: saved?.version ?? 0 }).then(
      () => notify('well', i18next.t('language-list.undone')),
      (error: Error) => notify('danger', error.message),
    )
  }
  const said = saved?.own === null ? 'language-list.shipped-again' : 'language-list.saved'
  notify('well', i18next.t(said), { label: i18next.t('action.undo'), run: undo })
}

const refreshCoverage = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [LANGUAGES_KEY] })

/** The menus that offer languages too. */
export async function refreshLanguages(): Promise<void> {
  clearReplyCache()
  await Promise.all([
    refreshTexts(),
    refreshCoverage(),
    queryClient.invalidateQueries({ queryKey: languagesQuery().queryKey }),
  ])
  setOfferedLanguages(await queryClient.fetchQuery(languagesQuery()))
}
