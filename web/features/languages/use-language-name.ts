import { useQuery } from '@tanstack/react-query'
import type { Language } from '#shared/contract/endpoint.ts'
import { managedLanguagesQuery } from './text-queries.ts'

/** A language's own name. */
export function useLanguageName(code: Language): string {
  const { data: languages = [] } = useQuery(managedLanguagesQuery())
  return languages.find((language) => language.code === code)?.name ?? code
}
