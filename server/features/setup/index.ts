export { createAdministrator } from './administrator.service.ts'
export { mountSetup } from './setup.routes.ts'
export { ensureSetupLink } from './setup.service.ts'
