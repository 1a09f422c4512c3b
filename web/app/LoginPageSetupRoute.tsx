import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { LoginPageSetupPage } from '../features/setup/LoginPageSetupPage.tsx'

/** The layout of the login page, with what changed it. */
export const LoginPageSetupRoute = () => <LoginPageSetupPage history={<HistoryTab kind="settings" id="loginPage" />} />
