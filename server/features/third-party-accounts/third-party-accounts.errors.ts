import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  /** Never begun, begun in another browser or for something else, used already, or too long ago. */
  'third-party.flow-invalid': 400,
  'third-party.cancelled': 400,
  'third-party.unavailable': 502,
  'third-party.refused': 400,
  /** Too many codes in vain from this address. */
  'third-party.too-many': 429,
  'third-party.unusable': 502,
  /** Nobody here is bound to this identity. */
  'third-party.unbound': 403,
  'third-party.already-bound': 409,
  'third-party.taken': 409,
  'third-party.not-bound': 409,
  'third-party.last-way': 409,
})
