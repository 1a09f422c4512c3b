import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({ 'record.not-found': 404 })
