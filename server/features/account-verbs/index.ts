export { mountAccountVerbs } from './account-verbs.routes.ts'
export { batchChangeTask } from './batch-change.jobs.ts'
export { deleteUsers, freezeUsers } from './verbs.service.ts'
