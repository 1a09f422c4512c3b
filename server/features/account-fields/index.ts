export { mountAccountFields } from './account-fields.routes.ts'
export { mayAdministratorsEdit, mayOwnerEdit, valueProblem } from './account-fields.rules.ts'
export { accountFieldRules } from './account-fields.service.ts'
export { ownFields, requireOwnEdit } from './own-fields.service.ts'
