import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'ip-range.bad-address': 400,
  'ip-range.bad-network': 400,
  'ip-range.too-many-networks': 400,
  /** In a file: `10.0.1.0/2` is more likely cut off than meant. */
  'ip-range.wider-network': 400,
  'ip-range.network-taken': 409,
  'ip-range.name-taken': 409,
  'ip-range.too-many': 409,
  'ip-range.import-columns': 422,
  'ip-range.import-refused': 409,
})
