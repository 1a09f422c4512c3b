import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { ThemesPage } from '../features/themes/ThemesPage.tsx'
import type { ThemeSlots } from '../features/themes/theme-slots.types.ts'

const SLOTS: ThemeSlots = {
  history: (id) => (id ? <HistoryTab kind="theme" id={id} /> : <HistoryTab kind="settings" id="appearance" />),
}

/** The themes, with their change history. */
export const LoginTopicRoute = () => <ThemesPage slots={SLOTS} />
