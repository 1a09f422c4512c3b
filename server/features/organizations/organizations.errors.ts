import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'organization.not-found': 404,
  'organization.code-taken': 409,
  'organization.unknown-attribute': 400,
  /** A directory sync owns the field: its source is where to change it. */
  'organization.owned-by-source': 400,
  'organization.below-itself': 409,
  'organization.too-deep': 409,
  'organization.outside': 403,
  'organization.super-user-only': 403,
  'organization.gains': 403,
  /** The caller would gain permissions over it. */
  'organization.more-permissions': 403,
  'organization.not-empty': 409,
  /** It, or an organisation above it, is being merged or deleted in the background. */
  'organization.ending': 409,
  /** It, or one below it, is receiving the people or organisations of another one in the background. */
  'organization.takes-over': 409,
})
