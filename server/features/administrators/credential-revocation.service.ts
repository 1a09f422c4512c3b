import type { Db } from '../../platform/db.ts'
import { deleteActivationCodes } from '../activation/index.ts'
import { deleteReauthenticationsOf } from '../reauthentication/index.ts'
import { forgetTrustedBrowsers } from '../second-factors/index.ts'
import { clearTrustedFactors } from '../sessions/index.ts'
import { markAppointed } from '../user-accounts/index.ts'

/**
 * Invalidates what somebody else may hold about people who become administrators or gain permissions: activation codes and activations
 * begun with them, verification codes and recoveries in progress (which check `appointed_at`), trusted browsers and the factors they
 * replaced, reauthentications. In the transaction of the appointment.
 */
export async function revokeIssuedCredentials(db: Db, userIds: readonly string[], at: Date): Promise<void> {
  await markAppointed(db, userIds, at)
  await deleteActivationCodes(db, userIds)
  await forgetTrustedBrowsers(db, userIds)
  await clearTrustedFactors(db, userIds)
  await deleteReauthenticationsOf(db, userIds)
}
