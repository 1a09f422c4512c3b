export { mountAccountHolds } from './account-holds.routes.ts'
