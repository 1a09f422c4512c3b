import { MissingLoginNames } from '../features/account-security/MissingLoginNames.tsx'
import { CompleteProfilePage } from '../features/profile/CompleteProfilePage.tsx'

/** The profile with what is bound as the security settings bind it: no feature knows another one's pages. */
export function CompleteProfile() {
  return (
    <CompleteProfilePage loginNames={(fields, onBound) => <MissingLoginNames fields={fields} onBound={onBound} />} />
  )
}
