export { mountMyApps } from './my-apps.routes.ts'
export {
  allOpenIdApplications,
  applicationsChanged,
  ensurePortalApplication,
  findApplicationByClientId,
  findApplicationById,
  findApplicationByService,
  isRegisteredClientOrigin,
  isRegisteredOrigin,
} from './registry.service.ts'
export { type Application, grantHolds } from './registry.store.ts'
export { type Person, releasedAttributes, userNameFor } from './released-attributes.ts'
