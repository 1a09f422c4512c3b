export { mountApplicationGrants } from './application-grants.routes.ts'
export { authorisedPage } from './authorised.service.ts'
export { grantRestorer } from './grant-restorer.ts'
