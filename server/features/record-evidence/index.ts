export { sealRecords } from './record-evidence.jobs.ts'
export { type Finding, verifyRecords } from './verify-records.service.ts'
