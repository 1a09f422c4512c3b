import { defineErrors } from '../../platform/errors.ts'

export const errors = defineErrors({
  'application-grant.member-not-found': 404,
  'application-grant.not-found': 404,
  'application-grant.person-not-found': 404,
  'application-grant.application-not-found': 404,
  'application-grant.dates': 422,
  'application-grant.changed-meanwhile': 409,
  'application-grant.held-already': 409,
  'application-grant.open-to-all': 409,
})
