export { mountAccountVerbs } from './account-verbs.routes.ts'
export { batchChangeTask } from './batch-change.jobs.ts'
export { deleteUsers } from './verbs.service.ts'
