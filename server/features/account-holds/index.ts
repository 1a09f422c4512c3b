export { clearExpiredLocks } from './account-holds.jobs.ts'
export { mountAccountHolds } from './account-holds.routes.ts'
