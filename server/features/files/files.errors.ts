import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({ 'file.not-found': 404, 'file.unreadable-picture': 422 })
