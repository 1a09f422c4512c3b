import { RecoveryAdvice } from '../features/account-security/RecoveryAdvice.tsx'
import { MyAppsPage } from '../features/applications/MyAppsPage.tsx'

/** The applications, and above them what another feature advises. */
export function MyApps() {
  return <MyAppsPage advice={<RecoveryAdvice />} />
}
