import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({ 'settings.former-invalid': 409 })
