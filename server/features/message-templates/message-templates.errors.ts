import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'message-template.no-address': 422,
  'message-template.unknown-value': 422,
  'message-template.code-needed': 422,
})
