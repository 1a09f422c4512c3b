import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({ 'log-insight.not-found': 404 })
