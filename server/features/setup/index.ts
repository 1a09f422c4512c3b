export { createAdministrator } from './administrator.service.ts'
export { mountSetup } from './setup.routes.ts'
export { openSetup } from './setup.service.ts'
