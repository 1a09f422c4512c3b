import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { LogInsightsPage } from '../features/log-insights/LogInsightsPage.tsx'

export const LogInsightsRoute = () => <LogInsightsPage history={<HistoryTab kind="settings" id="logInsights" />} />
