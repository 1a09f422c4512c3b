export { mountApplicationGrants } from './application-grants.routes.ts'
export { grantRestorer } from './grant-restorer.service.ts'
export { memberGrantsPage } from './member-grants.service.ts'
