import { MissingLoginNames } from '../features/account-security/MissingLoginNames.tsx'
import { CompleteProfilePage } from '../features/profile/CompleteProfilePage.tsx'

/**
 * Gets the security settings' dialogs for binding contacts passed in, because features don't import each other's pages.
 */
export function CompleteProfile() {
  return (
    <CompleteProfilePage loginNames={(fields, onBound) => <MissingLoginNames fields={fields} onBound={onBound} />} />
  )
}
