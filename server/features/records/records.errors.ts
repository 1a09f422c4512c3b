import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'export.busy': 429,
  'export.time-zone-unknown': 400,
  'record.not-found': 404,
})
