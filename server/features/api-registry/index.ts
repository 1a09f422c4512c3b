export { deleteOldApiCalls } from './api-registry.jobs.ts'
export { mountApiRegistry } from './api-registry.routes.ts'
export { runAsApplication } from './call-authorization.service.ts'
