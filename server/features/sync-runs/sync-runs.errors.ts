import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'directory-sync.bad-schedule': 400,
  'directory-sync.bad-zone': 400,
  'directory-sync.not-responsible': 400,
})
