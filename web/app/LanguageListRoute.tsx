import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { LanguageListPage } from '../features/languages/LanguageListPage.tsx'

/** The texts of the product, with the history of each. */
export const LanguageListRoute = () => (
  <LanguageListPage history={(language, key) => <HistoryTab kind="text" id={`${language}/${key}`} />} />
)
