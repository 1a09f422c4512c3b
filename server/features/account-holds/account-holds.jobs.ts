import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { endLoginLocks } from '../attempts/index.ts'
import { endAdministratorLocks } from './lock-ends.service.ts'

/** People per transaction. */
const BATCH_SIZE = 500

/**
 * Every minute: records which locks are over, by administrators and by failed logins. A lock that follows an earlier one does it as well,
 * before its own record.
 * @throws what the first of the two throws that fails, once both have run
 */
export async function endLocks(platform: Platform): Promise<void> {
  const ctx = systemContext(platform)
  const faults: unknown[] = []
  for (const end of [endAdministratorLocks, endLoginLocks])
    await endAll(ctx, end).catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

type EndSome = (ctx: Context, which: { limit: number }) => Promise<number>

async function endAll(ctx: Context, end: EndSome): Promise<void> {
  while ((await transaction(ctx, (inner) => end(inner, { limit: BATCH_SIZE }))) === BATCH_SIZE);
}
