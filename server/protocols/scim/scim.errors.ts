import { defineErrors, type Refusal } from '../../platform/errors.ts'

export const errors = defineErrors({
  'scim.bad-filter': 400,
  'scim.filter-too-large': 400,
  'scim.unknown-attribute': 400,
  'scim.bad-path': 400,
  'scim.read-only': 400,
  'scim.no-target': 400,
  'scim.bad-syntax': 400,
  'scim.wrong-type': 400,
  'scim.page-too-deep': 400,
  'scim.bad-cursor': 400,
  'scim.too-many-operations': 413,
  'scim.bad-bulk-path': 400,
  'scim.bulk-unresolved': 409,
})

/** The `scimType` of an error (RFC 7644 3.12, RFC 9865 2.1). */
const SCIM_TYPES: Readonly<Record<string, string>> = {
  'request.malformed': 'invalidSyntax',
  'scim.bad-filter': 'invalidFilter',
  'scim.filter-too-large': 'tooMany',
  'scim.cannot-compare': 'invalidFilter',
  'scim.unknown-attribute': 'invalidFilter',
  'scim.bad-path': 'invalidPath',
  'scim.read-only': 'mutability',
  'scim.immutable': 'mutability',
  'scim.no-target': 'noTarget',
  'scim.bad-syntax': 'invalidSyntax',
  'scim.wrong-type': 'invalidValue',
  'scim.invalid-value': 'invalidValue',
  'scim.member-unknown': 'invalidValue',
  'scim.page-too-deep': 'invalidValue',
  'scim.bad-cursor': 'invalidCursor',
  'scim.too-many-members': 'tooMany',
  'scim.taken': 'uniqueness',
}

export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** A SCIM error (RFC 7644 3.12); `detail` is in the language of the request. */
export function toScimError({ code, status }: Refusal, detail: string) {
  const scimType = SCIM_TYPES[code]
  return { schemas: [ERROR_SCHEMA], status: String(status), ...(scimType && { scimType }), detail }
}
