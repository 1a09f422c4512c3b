import { useQuery } from '@tanstack/react-query'
import type { Language } from '#shared/contract/endpoint.ts'
import { languagesQuery, queryClient } from '../../platform/queries.ts'
import { managedLanguagesQuery } from './text-queries.ts'

type Named = { code: Language; name: string }

/** Until all languages are loaded, those offered to everybody are. */
function nameIn(languages: readonly Named[], code: Language): string {
  const offered: readonly Named[] = queryClient.getQueryData(languagesQuery().queryKey) ?? []
  return [...languages, ...offered].find((language) => language.code === code)?.name ?? code
}

/** A language's own name. */
export function useLanguageName(code: Language): string {
  const { data: languages = [] } = useQuery(managedLanguagesQuery())
  return nameIn(languages, code)
}

/** As `useLanguageName`, of the languages that were loaded. */
export const languageName = (code: Language): string =>
  nameIn(queryClient.getQueryData(managedLanguagesQuery().queryKey) ?? [], code)
