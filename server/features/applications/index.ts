export {
  type ApplicationRow,
  type ConcurrentWriteError,
  findApplicationsById,
  listApplicationRows,
  lockApplication,
  lockApplications,
  moveApplications,
  moveToCategory,
  saveApplications,
  updateClientSecret,
} from './applications.store.ts'
export { requireAvailableApplication } from './available-application.service.ts'
export { mountMyApps } from './my-apps.routes.ts'
export { clientOrigins, isRegisteredRedirect } from './redirect-address.rules.ts'
export {
  ensurePortalApplication,
  findApplicationByClientId,
  findApplicationById,
  findApplicationByService,
  invalidateApplications,
  isRegisteredClientOrigin,
  isRegisteredOrigin,
  listOAuthApplications,
  listRegisteredApplications,
} from './registry.service.ts'
export type { Application } from './registry.store.ts'
export {
  INVALID_XML_CHARACTERS,
  isUsableUserName,
  type PersonAttributes,
  type ReleaseNeeds,
  type ReleasePreview,
  releasedAttributes,
  releaseNeeds,
  userNameFor,
} from './released-attributes.rules.ts'
