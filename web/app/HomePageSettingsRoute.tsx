import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { HomePageSettingsPage } from '../features/setup/HomePageSettingsPage.tsx'

/** What the home page consists of, with what changed it. */
export const HomePageSettingsRoute = () => (
  <HomePageSettingsPage history={<HistoryTab kind="settings" id="homePage" />} />
)
