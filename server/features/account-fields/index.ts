export { mountAccountFields } from './account-fields.routes.ts'
export { accountFieldRules } from './account-fields.service.ts'
