import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './scim-lists.rules.ts'
import { ENTERPRISE_SCHEMA, GROUP_EXTENSION, GROUP_SCHEMA, USER_SCHEMA } from './scim-schemas.rules.ts'
import type { Given } from './scim-values.rules.ts'

export const MAX_BULK_OPERATIONS = 100
export const MAX_SCIM_BODY_BYTES = 1024 * 1024

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

/** The server's capabilities (RFC 7643 5, RFC 9865 4). */
export const serviceProviderConfig = (base: string): Given => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: true, maxOperations: MAX_BULK_OPERATIONS, maxPayloadSize: MAX_SCIM_BODY_BYTES },
  filter: { supported: true, maxResults: MAX_PAGE_SIZE },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  pagination: {
    ...{ index: true, cursor: true, defaultPaginationMethod: 'index' },
    ...{ defaultPageSize: DEFAULT_PAGE_SIZE, maxPageSize: MAX_PAGE_SIZE },
  },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of a SCIM client (RFC 6750)',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const resourceType = (base: string, name: string, schema: string, extension: string): Given => ({
  schemas: [`${CORE}:ResourceType`],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
  schemaExtensions: [{ schema: extension, required: false }],
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})

export const resourceTypes = (base: string): Given[] => [
  resourceType(base, 'User', USER_SCHEMA, ENTERPRISE_SCHEMA),
  resourceType(base, 'Group', GROUP_SCHEMA, GROUP_EXTENSION),
]

type Options = {
  type?: string
  multiValued?: boolean
  required?: boolean
  caseExact?: boolean
  mutability?: string
  uniqueness?: string
  subAttributes?: Given[]
  canonicalValues?: string[]
  referenceTypes?: string[]
}

const attribute = (name: string, description: string, options: Options = {}): Given => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...options,
})

const readOnly = { mutability: 'readOnly' } as const

const several = (name: string, description: string, kind: string): Given =>
  attribute(name, description, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', description),
      attribute('type', `Always ${kind}`, { canonicalValues: [kind] }),
      attribute('primary', 'Always true', { type: 'boolean' }),
    ],
  })

const reference = (referenceTypes: string[]): Given =>
  attribute('$ref', 'Its address', { type: 'reference', referenceTypes, caseExact: true, ...readOnly })

const schema = (base: string, id: string, name: string, attributes: Given[]): Given => ({
  schemas: [`${CORE}:Schema`],
  id,
  name,
  description: name,
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
})

/** The supported attributes of users and groups; others are accepted and ignored. */
export const schemas = (base: string): Given[] => [
  schema(base, USER_SCHEMA, 'User', [
    attribute('userName', 'The account; it never changes', {
      ...{ required: true, mutability: 'immutable', uniqueness: 'server' },
    }),
    attribute('name', 'The name', { type: 'complex', subAttributes: [attribute('formatted', 'The whole name')] }),
    attribute('displayName', 'The same name', { required: true }),
    attribute('nickName', 'The nickname'),
    attribute('userType', 'Code of the user category'),
    attribute('active', 'Enabled', { type: 'boolean' }),
    several('emails', 'The email address', 'work'),
    several('phoneNumbers', 'The phone number', 'mobile'),
    attribute('groups', 'Organisations and roles that they are in by name', {
      ...{ type: 'complex', multiValued: true, ...readOnly },
      subAttributes: [
        attribute('value', 'Id of the group', readOnly),
        reference(['Group']),
        attribute('display', 'Its name', readOnly),
        attribute('type', 'Always direct', { ...readOnly, canonicalValues: ['direct'] }),
      ],
    }),
  ]),
  schema(base, GROUP_SCHEMA, 'Group', [
    attribute('displayName', 'The name', { required: true }),
    attribute('members', 'People who are in it by name', {
      ...{ type: 'complex', multiValued: true },
      subAttributes: [
        attribute('value', 'Id of the user', { mutability: 'immutable' }),
        reference(['User']),
        attribute('display', 'Their name', readOnly),
        attribute('type', 'Always User', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
    }),
  ]),
  schema(base, ENTERPRISE_SCHEMA, 'EnterpriseUser', [
    attribute('department', 'Name of the department; its code is taken too'),
  ]),
  schema(base, GROUP_EXTENSION, 'GatehouseGroup', [
    attribute('kind', 'What the group is', { mutability: 'immutable', canonicalValues: ['role', 'organization'] }),
    attribute('code', 'Its code', { caseExact: true, mutability: 'immutable', uniqueness: 'server' }),
    attribute('parent', 'The organisation that an organisation is below', {
      type: 'complex',
      subAttributes: [attribute('value', 'Its id'), reference(['Group'])],
    }),
  ]),
]
