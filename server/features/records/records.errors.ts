import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'export.time-zone-unknown': 400,
  'record.not-found': 404,
})
