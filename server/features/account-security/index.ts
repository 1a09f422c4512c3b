export { mountAccountSecurity } from './account-security.routes.ts'
export { changeAlias, checkNewAlias } from './alias.service.ts'
