import { type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { endLoginLocks } from '../attempts/index.ts'
import { endAdministratorLocks } from './lock-ends.service.ts'

/** People per transaction. */
const BATCH_SIZE = 500

/**
 * Every minute: records which locks are over, by administrators and by failed logins. A lock that follows an earlier one does it as well,
 * before its own record.
 */
export async function endLocks(platform: Platform): Promise<void> {
  const ctx = systemContext(platform)
  for (const end of [endAdministratorLocks, endLoginLocks])
    while ((await transaction(ctx, (inner) => end(inner, { limit: BATCH_SIZE }))) === BATCH_SIZE);
}
