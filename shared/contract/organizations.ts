import { z } from 'zod'
import { get, Id, Language, ListQuery, pageOf, post } from './endpoint.ts'

/** No space, nothing invisible, nothing that would have to be escaped in an address. */
export const Code = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\s\p{C}/\\?#]+$/u)

export const EntryName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}+$/u)

/** The name in single languages; where one has none, the name itself stands. */
export const EntryNames = z.record(Language, EntryName)

/** What may be done with an organisation by who asks: `change` it itself, or `hold` new ones below it. */
const AllowedActions = z.object({ change: z.boolean(), hold: z.boolean() })

/** It is being merged or deleted in the background: until that ends, nothing is put into it or changed about it. */
const EndingInfo = z.object({
  kind: z.enum(['merge', 'delete']),
  /** The background task; null: it is somebody else's. */
  taskId: Id.nullable(),
})

/** An organisation in the tree. Of a tree that is seen in part, the tops have no parent. */
export const OrganizationNode = z.object({
  id: Id,
  code: z.string(),
  /** In the language of who asks. */
  name: z.string(),
  parentId: Id.nullable(),
  hasChildren: z.boolean(),
  /** In it and everywhere below it. */
  people: z.number().int(),
  enabled: z.boolean(),
  /** The code of an attribute. */
  attribute: z.string().nullable(),
  version: z.number().int(),
  may: AllowedActions,
  ending: EndingInfo.nullable(),
})
export type OrganizationNode = z.infer<typeof OrganizationNode>

const PathStep = z.object({ id: Id, name: z.string() })

export const listOrganizationChildren = get(
  '/organization/children/',
  'administrator',
  ListQuery.omit({ search: true }).extend({
    /** Absent: the tops of the tree. */
    parentId: Id.optional(),
    /** Goes on behind this child instead of counting pages: for nodes with any number of children. */
    after: Id.optional(),
  }),
  pageOf(OrganizationNode),
  { summary: 'The organisations right below one, in their order', errors: ['list.too-deep', 'organization.not-found'] },
)

export const OrganizationFound = OrganizationNode.extend({
  /** From the top down, without the organisation itself. */
  path: z.array(PathStep),
})
export type OrganizationFound = z.infer<typeof OrganizationFound>

export const searchOrganizations = get(
  '/organization/search/',
  'administrator',
  ListQuery.extend({
    /** Only those that may be chosen for what is new: enabled ones, in which the caller may edit. */
    for: z.enum(['look', 'edit']).default('look'),
    /** Only those that are filed under the attribute with this code. */
    attribute: Code.optional(),
    /** Neither this one nor what is below it: where it can move to. */
    outside: Id.optional(),
  }),
  pageOf(OrganizationFound),
  { summary: 'Organisations by name, pinyin or code, flat', errors: ['list.too-deep'] },
)

const OrganizationPath = z.strictObject({ id: Id })

export const organizationPath = get(
  '/organization/{id}/path/',
  'administrator',
  OrganizationPath,
  z.object({ nodes: z.array(OrganizationNode) }),
  { summary: 'An organisation with all above it, the top first', errors: ['organization.not-found'] },
)

export const OrganizationDetails = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  names: EntryNames,
  parentId: Id.nullable(),
  attribute: z.string().nullable(),
  position: z.number().int(),
  enabled: z.boolean(),
  version: z.number().int(),
  path: z.array(PathStep),
  children: z.number().int(),
  people: z.object({ direct: z.number().int(), all: z.number().int() }),
  may: AllowedActions,
  ending: EndingInfo.nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type OrganizationDetails = z.infer<typeof OrganizationDetails>

export const organizationDetails = get(
  '/organization/{id}/details/',
  'administrator',
  OrganizationPath,
  OrganizationDetails,
  { summary: 'An organisation', errors: ['organization.not-found'] },
)

const Version = z.number().int().min(1)

export const createOrganization = post(
  '/organization/create/',
  'administrator:edit',
  z.strictObject({
    code: Code,
    name: EntryName,
    names: EntryNames.default({}),
    /** Null: a top of the tree, for super users alone. */
    parentId: Id.nullable(),
    attribute: Code.nullable().default(null),
    enabled: z.boolean().default(true),
  }),
  OrganizationDetails,
  {
    summary: 'Create an organisation, as the last below its parent',
    errors: [
      'organization.not-found',
      'organization.code-taken',
      'organization.unknown-attribute',
      'organization.too-deep',
      'organization.outside',
      'organization.ending',
    ],
  },
)

export const updateOrganization = post(
  '/organization/{id}/update/',
  'administrator:edit',
  z.strictObject({
    version: Version,
    code: Code.optional(),
    name: EntryName.optional(),
    names: EntryNames.optional(),
    attribute: Code.nullable().optional(),
    /** False: it takes no new people; who is in it stays. */
    enabled: z.boolean().optional(),
  }),
  OrganizationDetails,
  {
    summary: 'Change an organisation: what is absent stays',
    query: OrganizationPath,
    errors: [
      'organization.not-found',
      'organization.code-taken',
      'organization.unknown-attribute',
      'organization.outside',
      'organization.ending',
      'version.conflict',
      'policy.locks-out',
    ],
  },
)

/** Where a child stands among its siblings: behind this one, first (null), or last (absent). */
const AfterId = Id.nullable().optional()

export const moveOrganization = post(
  '/organization/{id}/move/',
  'administrator:edit',
  z.strictObject({ version: Version, parentId: Id.nullable(), after: AfterId }),
  z.object({
    organization: OrganizationDetails,
    /** Where it stood: the same call with these puts it back. */
    before: z.object({ parentId: Id.nullable(), after: Id.nullable() }),
  }),
  {
    summary:
      'Move an organisation with all below it. Where its people come to applications or roles by that, it also takes the power to authorise',
    query: OrganizationPath,
    errors: [
      'organization.not-found',
      'organization.below-itself',
      'organization.too-deep',
      'organization.outside',
      'organization.gains',
      'organization.ending',
      'version.conflict',
    ],
  },
)
