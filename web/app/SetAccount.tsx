import { SetAccountPage } from '../features/account-security/SetAccountPage.tsx'
import { TwoStepAdvice } from '../features/second-factors/TwoStepAdvice.tsx'
import { TwoStepRow } from '../features/second-factors/TwoStepRow.tsx'

/** The security settings, with the rows that other features add: features don't import each other's pages. */
export function SetAccount() {
  return <SetAccountPage more={<TwoStepRow />} moreAdvice={(well) => <TwoStepAdvice>{well}</TwoStepAdvice>} />
}
