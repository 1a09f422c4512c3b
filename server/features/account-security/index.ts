export { mountAccountSecurity } from './account-security.routes.ts'
