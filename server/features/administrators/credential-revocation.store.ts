import type { Db } from '../../platform/db.ts'
import { markAppointed } from '../user-accounts/index.ts'

/**
 * Invalidates what somebody else may hold about people who become administrators or gain permissions: activation codes and activations
 * begun with them, verification codes and recoveries in progress (which check `appointed_at`), trusted browsers and the factors they
 * replaced, reauthentications. In the transaction of the appointment.
 */
export async function revokeIssuedCredentials(db: Db, userIds: readonly string[], at: Date): Promise<void> {
  const ids = userIds as string[]
  await markAppointed(db, userIds, at)
  await db`delete from activation_codes where user_id = any(${ids}::uuid[])`
  await db`delete from activation_flows where user_id = any(${ids}::uuid[])`
  await db`delete from trusted_devices where user_id = any(${ids}::uuid[])`
  await db`
    update sso_sessions set second_factor = null, second_factor_at = null
    where user_id = any(${ids}::uuid[]) and ended_at is null and second_factor = 'device'`
  await db`
    delete from identity_proofs i using portal_sessions p, sso_sessions s
    where p.id = i.portal_session_id and s.id = p.sso_session_id and s.user_id = any(${ids}::uuid[])`
}

/**
 * A provider's word alone is not enough for a super user, so accounts linked only by it are unlinked; except where there is no other way to
 * log in.
 */
export async function deleteMatchedThirdPartyAccounts(db: Db, userIds: readonly string[]): Promise<void> {
  await db`
    delete from third_party_accounts a using passwords p
    where a.user_id = any(${userIds as string[]}::uuid[]) and a.matched and p.user_id = a.user_id`
}
