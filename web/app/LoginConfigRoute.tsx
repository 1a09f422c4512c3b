import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { LoginConfigPage } from '../features/login-config/LoginConfigPage.tsx'

/** The rules of logging in, with what changed them. */
export const LoginConfigRoute = () => <LoginConfigPage history={<HistoryTab kind="settings" id="login" />} />
