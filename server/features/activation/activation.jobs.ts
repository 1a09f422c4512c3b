import type { Platform } from '../../platform/platform.ts'
import { deleteOldFlows } from './flows.store.ts'

/** Timed work, every few minutes: forgets activations that nobody came back to. */
export const forgetActivations = (platform: Platform): Promise<void> => deleteOldFlows(platform.sql, platform.now())
