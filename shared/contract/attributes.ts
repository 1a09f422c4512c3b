import { z } from 'zod'
import { CustomFieldName } from './field-rules.ts'

/**
 * The attributes of a person that an application can receive. `organization`, `category` and `personnelType` are
 * names, the `…Code` ones codes, `roles` codes.
 */
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
  'personnelType',
  'personnelTypeCode',
  'roles',
] as const
export type ProductSource = (typeof ATTRIBUTE_SOURCES)[number]
/** A built-in source, or a custom field. */
export const AttributeSource = z.union([z.enum(ATTRIBUTE_SOURCES), CustomFieldName])
export type AttributeSource = z.infer<typeof AttributeSource>

/** CAS clients find these by local name anywhere in the answer, so no attribute may have one of these names. */
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

/** The name of a released attribute: a valid XML name without colon, and not one that the protocol uses. */
export const AttributeName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/)
  .refine((name) => !RESERVED.has(name), 'a name that the protocol does not use itself')

/** A released attribute: a person's value, or a fixed value. */
export const ReleasedAttribute = z.union([
  z.strictObject({ name: AttributeName, from: AttributeSource }),
  z.strictObject({ name: AttributeName, value: z.string().max(1000) }),
])
export type ReleasedAttribute = z.infer<typeof ReleasedAttribute>
