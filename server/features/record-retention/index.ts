export { dropExpiredRecords, RETENTION_CRON, RETENTION_JOB } from './record-retention.jobs.ts'
export { mountRecordRetention } from './record-retention.routes.ts'
export { predictDrop } from './record-retention.service.ts'
