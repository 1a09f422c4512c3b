export { endLocks } from './account-holds.jobs.ts'
export { mountAccountHolds } from './account-holds.routes.ts'
export { endAdministratorLocks } from './lock-ends.service.ts'
