import { SetAccountPage } from '../features/account-security/SetAccountPage.tsx'

/** The security settings with what other features add to the list: no feature knows another one's pages. */
export function SetAccount() {
  return <SetAccountPage />
}
