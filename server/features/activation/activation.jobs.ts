import type { Platform } from '../../platform/platform.ts'
import { deleteOldCodes } from './codes.store.ts'
import { deleteOldFlows } from './flows.store.ts'

/** Timed work, every few minutes: forgets activations that nobody came back to. */
export async function forgetActivations({ sql, now }: Platform): Promise<void> {
  await deleteOldFlows(sql, now())
  await deleteOldCodes(sql, now())
}
