import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { GetStartedPanel } from '../features/overview/GetStartedCard.tsx'
import { SystemSettingsPage } from '../features/setup/SystemSettingsPage.tsx'

/** The settings of the set-up, with their change history, and the getting-started list. */
export const SystemSettingsRoute = () => (
  <SystemSettingsPage history={(name) => <HistoryTab kind="settings" id={name} />} getStarted={<GetStartedPanel />} />
)
