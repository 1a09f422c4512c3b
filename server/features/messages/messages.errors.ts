import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'message.channel-unavailable': 503,
  'message.too-many': 429,
  'message.invalid-number': 422,
  'outbox.key-needed': 403,
})
