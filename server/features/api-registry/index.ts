export { forgetApiCalls } from './api-registry.jobs.ts'
export { mountApiRegistry } from './api-registry.routes.ts'
export { asApplication } from './call-door.ts'
