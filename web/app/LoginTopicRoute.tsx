import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { type ThemeSlots, ThemesPage } from '../features/themes/ThemesPage.tsx'

const SLOTS: ThemeSlots = { history: (id) => <HistoryTab kind="theme" id={id} /> }

/** The themes, with what changed them. */
export const LoginTopicRoute = () => <ThemesPage slots={SLOTS} />
