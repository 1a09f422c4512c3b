import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({ 'log-export.not-found': 404, 'log-export.too-many': 409 })
