import { HistoryTab } from '../features/change-history/HistoryTab.tsx'
import { LoginPageSetupPage } from '../features/setup/LoginPageSetupPage.tsx'

/** The layout of the login page, with its change history. */
export const LoginPageSetupRoute = () => <LoginPageSetupPage history={<HistoryTab kind="settings" id="loginPage" />} />
