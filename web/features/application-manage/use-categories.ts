import { useQuery } from '@tanstack/react-query'
import { type ApplicationCategory, listApplicationCategories } from '#shared/contract/application-categories.ts'
import { call } from '../../platform/api.ts'
import { currentLanguage } from '../../platform/i18n.ts'

export const CATEGORIES_KEY = 'application-categories'

/** The categories in tree order, named in the person's language. */
export function useCategories() {
  const { data, isError } = useQuery({
    queryKey: [CATEGORIES_KEY],
    queryFn: ({ signal }) => call(listApplicationCategories, {}, { signal }),
  })
  const all = data?.records ?? []
  const nameOf = (one: Pick<ApplicationCategory, 'name' | 'names' | 'parentId'>): string => {
    const own = one.names[currentLanguage()] ?? one.name
    const parent = all.find(({ id }) => id === one.parentId)
    return parent ? `${parent.names[currentLanguage()] ?? parent.name} / ${own}` : own
  }
  const roots = all.filter(({ parentId }) => parentId === null)
  const categories = roots.flatMap((root) => [root, ...all.filter(({ parentId }) => parentId === root.id)])
  return { categories, nameOf, isError }
}
