import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'captcha.wrong': 422,
  'captcha.too-many': 429,
})
