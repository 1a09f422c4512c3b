import { useQuery } from '@tanstack/react-query'
import type { Language } from '#shared/contract/endpoint.ts'
import { languagesQuery } from '../../platform/queries.ts'

/** What a language calls itself. */
export function useLanguageName(code: Language): string {
  const { data: languages = [] } = useQuery(languagesQuery())
  return languages.find((language) => language.code === code)?.name ?? code
}
