import { z } from 'zod'
import { get, Id, Language, ListQuery, pageOf, post } from './endpoint.ts'
import { FieldOwner } from './field-owners.ts'

/** No space, invisible characters, or characters that need escaping in an address. */
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

/** Names by language; a missing one falls back to the main name. */
export const EntryNames = z.record(Language, EntryName)

/** What the caller may do with an organisation: `change` it, or `hold` new ones below it. */
const AllowedActions = z.object({ change: z.boolean(), hold: z.boolean() })

/** It is being merged or deleted in the background: meanwhile nothing can be added or changed. */
const EndingInfo = z.object({
  kind: z.enum(['merge', 'delete']),
  /** The background task; null: somebody else's. */
  taskId: Id.nullable(),
})

/** An organisation in the tree. In a partial tree the roots have no parent. */
export const OrganizationNode = z.object({
  id: Id,
  code: z.string(),
  /** In the caller's language. */
  name: z.string(),
  parentId: Id.nullable(),
  hasChildren: z.boolean(),
  /** In it and everything below it. */
  people: z.number().int(),
  enabled: z.boolean(),
  /** The code of an attribute. */
  attribute: z.string().nullable(),
  version: z.number().int(),
  may: AllowedActions.extend({
    /** False also where a sync owns its position; where one owns only the parent, it moves among its siblings. */
    move: z.boolean(),
  }),
  /** The sources that own its place, for callers who may change it. */
  placedBy: z.object({ parentId: z.string().nullable(), position: z.string().nullable() }),
  ending: EndingInfo.nullable(),
})
export type OrganizationNode = z.infer<typeof OrganizationNode>

const PathStep = z.object({ id: Id, name: z.string() })

export const listOrganizationChildren = get(
  '/organization/children/',
  'administrator',
  ListQuery.omit({ search: true }).extend({
    /** Absent: the roots. */
    parentId: Id.optional(),
    /** Continues after this child instead of counting pages: for nodes with any number of children. */
    after: Id.optional(),
  }),
  pageOf(OrganizationNode),
  { summary: 'The organisations directly below one, in order', errors: ['list.too-deep', 'organization.not-found'] },
)

export const OrganizationFound = OrganizationNode.extend({
  /** From the root, without the organisation itself. */
  path: z.array(PathStep),
})
export type OrganizationFound = z.infer<typeof OrganizationFound>

export const searchOrganizations = get(
  '/organization/search/',
  'administrator',
  ListQuery.extend({
    /** Only organisations that can be chosen for something new: enabled ones, in which the caller may edit. */
    for: z.enum(['look', 'edit']).default('look'),
    /** Only organisations with this attribute code. */
    attribute: Code.optional(),
    /** Excludes this one and its descendants: the possible targets of a move. */
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
  { summary: 'An organisation with all its ancestors, the root first', errors: ['organization.not-found'] },
)

/** The fields that a sync can own, each with the message `sync-field.<name>`. Whether it is enabled is never owned. */
export const ORGANIZATION_FIELDS = ['name', 'code', 'attribute', 'parentId', 'position'] as const
export type OrganizationField = (typeof ORGANIZATION_FIELDS)[number]

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
  /** Of `ORGANIZATION_FIELDS`. */
  fieldOwners: z.array(FieldOwner),
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
    /** Null: a root, for super users only. */
    parentId: Id.nullable(),
    attribute: Code.nullable().default(null),
    enabled: z.boolean().default(true),
  }),
  OrganizationDetails,
  {
    summary: 'Create an organisation, as the last child of its parent',
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
    /** False: people can't be added; existing ones stay. */
    enabled: z.boolean().optional(),
  }),
  OrganizationDetails,
  {
    summary: 'Change an organisation; absent fields are unchanged',
    query: OrganizationPath,
    errors: [
      'organization.not-found',
      'organization.code-taken',
      'organization.unknown-attribute',
      'organization.outside',
      'organization.ending',
      'organization.owned-by-source',
      'version.conflict',
      'policy.locks-out',
    ],
  },
)

/** The position among siblings: after this one, first (null), or last (absent). */
const AfterId = Id.nullable().optional()

export const moveOrganization = post(
  '/organization/{id}/move/',
  'administrator:edit',
  z.strictObject({ version: Version, parentId: Id.nullable(), after: AfterId }),
  z.object({
    organization: OrganizationDetails,
    /** The previous position, for undoing with the same call. */
    before: z.object({ parentId: Id.nullable(), after: Id.nullable() }),
  }),
  {
    summary:
      'Move an organisation with everything below it. If its people gain applications or roles by that, it also requires the permission to grant',
    query: OrganizationPath,
    errors: [
      'organization.not-found',
      'organization.below-itself',
      'organization.too-deep',
      'organization.outside',
      'organization.gains',
      'organization.ending',
      'organization.owned-by-source',
      'version.conflict',
    ],
  },
)
