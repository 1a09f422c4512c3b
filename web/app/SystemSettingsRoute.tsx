import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { GetStartedPanel } from '../features/overview/GetStartedCard.tsx'
import { SystemSettingsPage } from '../features/setup/SystemSettingsPage.tsx'

/** What the set-up asked for, with what changed it, and the list of the first days. */
export const SystemSettingsRoute = () => (
  <SystemSettingsPage history={(name) => <HistoryTab kind="settings" id={name} />} getStarted={<GetStartedPanel />} />
)
