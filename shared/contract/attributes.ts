import { z } from 'zod'
import { CustomFieldName } from './field-rules.ts'

/** What of a person an application may be given. `organization`, `category` and `personnelNature` are names, the `…Code` ones codes, `roles` codes. */
export const ATTRIBUTE_SOURCES = [
  'userId',
  'account',
  'name',
  'nickname',
  'alias',
  'phone',
  'mailbox',
  'gender',
  'birthday',
  'organization',
  'organizationCode',
  'category',
  'categoryCode',
  'personnelNature',
  'personnelNatureCode',
  'roles',
] as const
export type ProductSource = (typeof ATTRIBUTE_SOURCES)[number]
/** Of the product, or a field that the institution defined. */
export const AttributeSource = z.union([z.enum(ATTRIBUTE_SOURCES), CustomFieldName])
export type AttributeSource = z.infer<typeof AttributeSource>

/** CAS clients find these by local name anywhere in the answer, so no attribute may be called like them. */
const RESERVED = new Set([
  'user',
  'attributes',
  'proxyGrantingTicket',
  'proxies',
  'proxy',
  'authenticationSuccess',
  'authenticationFailure',
  'authenticationDate',
  'longTermAuthenticationRequestTokenUsed',
  'isFromNewLogin',
])

/** The name under which an attribute is released: a valid XML name without colon, and none that the protocol uses itself. */
export const AttributeName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/)
  .refine((name) => !RESERVED.has(name), 'a name that the protocol does not use itself')

/** One released attribute: a person's value under a name, or a fixed value. */
export const ReleasedAttribute = z.union([
  z.strictObject({ name: AttributeName, from: AttributeSource }),
  z.strictObject({ name: AttributeName, value: z.string().max(1000) }),
])
export type ReleasedAttribute = z.infer<typeof ReleasedAttribute>
