export { exportTask } from './log-exports.jobs.ts'
export { mountLogExports } from './log-exports.routes.ts'
export { deleteOldExports } from './log-exports.service.ts'
