import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({ 'login-check.bad-address': 400 })
