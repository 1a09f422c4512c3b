import { type Platform, systemContext } from '../../platform/platform.ts'
import { sealHours } from './record-evidence.service.ts'

/** Seals the hours of records that are over. */
export const sealRecords = (platform: Platform): Promise<void> => sealHours(systemContext(platform))
