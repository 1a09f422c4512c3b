export { mountVendors } from './vendors.routes.ts'
export { vendorRestorer } from './vendors.service.ts'
