import type { Platform } from '../../platform/platform.ts'
import { deleteExpiredCodes } from './codes.store.ts'
import { deleteExpiredFlows } from './flows.store.ts'

/** Timed work, every few minutes: forgets activations that nobody came back to. */
export async function purgeActivations({ sql, now }: Platform): Promise<void> {
  await deleteExpiredFlows(sql, now())
  await deleteExpiredCodes(sql, now())
}
