import type { Platform } from '../../platform/platform.ts'
import { deleteExpiredCodes } from './codes.store.ts'
import { deleteExpiredFlows } from './flows.store.ts'

/** Timed job, every few minutes: deletes expired activations. */
export async function purgeActivations({ sql, now }: Platform): Promise<void> {
  await deleteExpiredFlows(sql, now())
  await deleteExpiredCodes(sql, now())
}
