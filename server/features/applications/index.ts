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
  registeredApplications,
} from './registry.service.ts'
export { type Application, grantHolds } from './registry.store.ts'
export { type Person, type Released, releasedAttributes, userNameFor } from './released-attributes.ts'
