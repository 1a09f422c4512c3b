export {
  authenticateClient,
  countCall,
  countChanges,
  hasScope,
  recordHeld,
  requireScope,
  type ScimCaller,
} from './scim-access.service.ts'
export { mountScimClients } from './scim-clients.routes.ts'
export { SCIM_PATH, scimClientRestorer } from './scim-clients.service.ts'
export type { ScimChange } from './scim-clients.store.ts'
