import { type Platform, systemContext } from '../../platform/platform.ts'
import { dropExpired } from './record-retention.service.ts'

export { RETENTION_CRON } from './record-retention.rules.ts'
export { RETENTION_JOB } from './record-retention.service.ts'

/** Nightly, several times in an hour: drops the months of records whose retention is over. */
export const dropExpiredRecords = (platform: Platform): Promise<void> => dropExpired(systemContext(platform))
