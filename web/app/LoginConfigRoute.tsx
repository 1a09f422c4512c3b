import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { LoginConfigPage } from '../features/login-config/LoginConfigPage.tsx'

/** The login rules, with their change history. */
export const LoginConfigRoute = () => <LoginConfigPage history={<HistoryTab kind="settings" id="login" />} />
