import { SetAccountPage } from '../features/account-security/SetAccountPage.tsx'
import { TwoStepAdvice } from '../features/second-factors/TwoStepAdvice.tsx'
import { TwoStepRow } from '../features/second-factors/TwoStepRow.tsx'

/** The security settings with what other features add to the list: no feature knows another one's pages. */
export function SetAccount() {
  return <SetAccountPage more={<TwoStepRow />} moreAdvice={(well) => <TwoStepAdvice>{well}</TwoStepAdvice>} />
}
