import type { MyApplication } from '#shared/contract/applications.ts'

export type Category = { id: string; name: string; count: number }
export type Section = { id: string; name: string | null; apps: MyApplication[] }

/** One row on a wide screen. */
const MAX_RECENT = 4

/** The non-empty categories, in list order. */
export function categoriesOf(apps: readonly MyApplication[]): Category[] {
  const categories = new Map<string, Category>()
  for (const { categoryId, categoryName } of apps) {
    if (!categoryId || !categoryName) continue
    const known = categories.get(categoryId)
    categories.set(categoryId, { id: categoryId, name: categoryName, count: (known?.count ?? 0) + 1 })
  }
  return [...categories.values()]
}

/** Recently opened, then by category; with a chosen category only that one. */
export function sectionsOf(apps: readonly MyApplication[], chosen: string | null): Section[] {
  const sections = categoriesOf(apps).map(({ id, name }) => ({
    id,
    name,
    apps: apps.filter((app) => app.categoryId === id),
  }))
  if (chosen) return sections.filter(({ id }) => id === chosen)
  const recent = apps
    .filter((app) => app.visitedAt !== null)
    .sort((a, b) => (b.visitedAt ?? '').localeCompare(a.visitedAt ?? ''))
    .slice(0, MAX_RECENT)
  const others = apps.filter((app) => app.categoryId === null)
  return [{ id: 'recent', name: null, apps: recent }, ...sections, { id: 'others', name: null, apps: others }].filter(
    (section) => section.apps.length > 0,
  )
}

/** The pinned applications that may be opened, in the person's order. */
export const favouritesOf = (apps: readonly MyApplication[], favourites: readonly string[]): MyApplication[] =>
  favourites.flatMap((appId) => apps.find((app) => app.appId === appId) ?? [])

/** Full-width input counts as plain letters and digits; spaces between pinyin syllables are ignored. */
const normalizeText = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The applications whose name, pinyin, initials or description contain `search`. */
export function filterApps(apps: readonly MyApplication[], search: string): MyApplication[] {
  const wanted = normalizeText(search)
  const joined = wanted.replaceAll(' ', '')
  return apps.filter(
    ({ keywords, description }) =>
      normalizeText(description).includes(wanted) ||
      keywords.some((word) => word.includes(wanted) || word.includes(joined)),
  )
}
