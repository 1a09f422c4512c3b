import { type Platform, systemContext } from '../../platform/platform.ts'
import { sealHours } from './record-evidence.service.ts'

/** Seals the records of completed hours. */
export const sealRecords = (platform: Platform, isOver?: () => boolean): Promise<void> =>
  sealHours(systemContext(platform), isOver)
