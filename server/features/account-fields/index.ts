export { mountAccountFields } from './account-fields.routes.ts'
export { mayOwnerEdit, valueProblem } from './account-fields.rules.ts'
export { accountFieldRules, customFields } from './account-fields.service.ts'
export { askedCustomFields, customFieldNames, customLabel, showCustomFields } from './custom-fields.service.ts'
export {
  customValueProblem,
  isEditableByAdministrators,
  isEditableByOwner,
  readCustomValue,
} from './custom-values.rules.ts'
export { expectedFormat } from './expected-format.service.ts'
export { formatProblem } from './field-format.rules.ts'
export { hashIdNumbers } from './id-number-macs.jobs.ts'
export { customAuditValues, requireOwnCustomEdit } from './own-custom-fields.service.ts'
export { ownedFields, ownFields, requireOwnEdit } from './own-fields.service.ts'
export { uniqueFields } from './unique-fields.service.ts'
export { deleteValuesTask } from './value-deletion.service.ts'
