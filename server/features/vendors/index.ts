export { runChecks } from './vendor-check.service.ts'
export { mountVendors } from './vendors.routes.ts'
export { keepSecrets, maskSettings, vendorRestorer } from './vendors.service.ts'
