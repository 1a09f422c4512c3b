import { z } from 'zod'
import { Id, post } from './endpoint.ts'
import { EntryName } from './organizations.ts'
import { resourceCalls } from './resource-calls.ts'

/** The scopes of a client; each has the message `scim-client.scope.<name>`. Writing includes reading. */
export const SCIM_SCOPES = [
  'users.read',
  'users.write',
  'organizations.read',
  'organizations.write',
  'roles.read',
  'roles.write',
] as const
export type ScimScope = (typeof SCIM_SCOPES)[number]

export const MAX_SCIM_CLIENTS = 20
export const MAX_SCIM_CALLS_PER_MINUTE = 6000
export const DEFAULT_SCIM_CALLS_PER_MINUTE = 600

/**
 * What a client changes is counted by kind, and for each kind the field that limits it within 24 hours. `disabled` includes deleted, `moved`
 * is another department or parent, or a role that somebody lost. A kind has the message `scim-client.<kind>`.
 */
export const SCIM_LIMITS = {
  disabled: 'maxDisabledPerDay',
  moved: 'maxMovedPerDay',
  renamed: 'maxRenamedPerDay',
  created: 'maxCreatedPerDay',
} as const
export type ScimChangeKind = keyof typeof SCIM_LIMITS
export const SCIM_CHANGE_KINDS = ['disabled', 'moved', 'renamed', 'created'] as const satisfies ScimChangeKind[]

export const MAX_SCIM_CHANGES_PER_DAY = 100_000
export const DEFAULT_SCIM_DISABLED_PER_DAY = 50
export const DEFAULT_SCIM_MOVED_PER_DAY = 500
export const DEFAULT_SCIM_RENAMED_PER_DAY = 500
export const MAX_SCIM_TOKEN_DAYS = 730
export const DEFAULT_SCIM_TOKEN_DAYS = 365

/** Hours for which the old token stays valid while the client switches to the new one. */
export const SCIM_TOKEN_OVERLAP_HOURS = [0, 24, 168] as const

const ChangesPerDay = z.number().int().min(0).max(MAX_SCIM_CHANGES_PER_DAY)

export const ScimClientFields = z.strictObject({
  name: EntryName,
  enabled: z.boolean().default(true),
  scopes: z
    .array(z.enum(SCIM_SCOPES))
    .min(1)
    .max(SCIM_SCOPES.length)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'each scope once'),
  callsPerMinute: z.number().int().min(1).max(MAX_SCIM_CALLS_PER_MINUTE).default(DEFAULT_SCIM_CALLS_PER_MINUTE),
  /** 0: it may not disable anybody. */
  maxDisabledPerDay: ChangesPerDay.default(DEFAULT_SCIM_DISABLED_PER_DAY),
  maxMovedPerDay: ChangesPerDay.default(DEFAULT_SCIM_MOVED_PER_DAY),
  maxRenamedPerDay: ChangesPerDay.default(DEFAULT_SCIM_RENAMED_PER_DAY),
  /** Null: no limit, because a first load creates everybody. */
  maxCreatedPerDay: ChangesPerDay.nullable().default(null),
  note: z.string().trim().max(500).default(''),
})
export type ScimClientFields = z.output<typeof ScimClientFields>

const ScimToken = z.object({
  id: Id,
  /** The last characters of the token. */
  hint: z.string(),
  createdAt: z.iso.datetime(),
  createdBy: z.string().nullable(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type ScimToken = z.infer<typeof ScimToken>

const ScimClient = ScimClientFields.extend({
  id: Id,
  version: z.number().int(),
  updatedAt: z.iso.datetime(),
  /** The address for its requests. */
  url: z.string(),
  /** The valid ones, newest first. */
  tokens: z.array(ScimToken),
  lastUsedAt: z.iso.datetime().nullable(),
  /** People, organisations and roles changed within the last 24 hours, as counted for the limits. */
  changedLastDay: z.object({
    disabled: z.number().int(),
    moved: z.number().int(),
    renamed: z.number().int(),
    created: z.number().int(),
  }),
  /** Kinds of changes that are refused until it is released, or 24 hours have passed. */
  heldKinds: z.array(z.enum(SCIM_CHANGE_KINDS)),
})
export type ScimClient = z.infer<typeof ScimClient>

export const scimClients = resourceCalls({
  path: '/scim_client',
  one: 'a system that pushes people by SCIM, and its tokens',
  many: 'systems that push people by SCIM',
  searched: 'part of a name or note',
  fields: ScimClientFields,
  row: ScimClient,
  filters: {},
  sorts: ['name', '-name', 'updatedAt', '-updatedAt'],
  errors: ['scim-client.name-taken', 'scim-client.too-many'],
})

const ofClient = { query: z.strictObject({ id: Id }) }

export const issueScimToken = post(
  '/scim_client/{id}/token/',
  'superUser',
  z.strictObject({
    days: z.number().int().min(1).max(MAX_SCIM_TOKEN_DAYS).default(DEFAULT_SCIM_TOKEN_DAYS),
    keepHours: z.literal(SCIM_TOKEN_OVERLAP_HOURS).default(0),
  }),
  z.object({ token: z.string(), client: ScimClient }),
  {
    ...ofClient,
    summary: 'Issue a new token for a SCIM client, shown once; the old one stays valid for `keepHours`',
    errors: ['resource.not-found'],
  },
)

export const revokeScimToken = post(
  '/scim_client/{id}/revoke_token/',
  'superUser',
  z.strictObject({ tokenId: Id }),
  ScimClient,
  {
    ...ofClient,
    summary: 'Revoke a token of a SCIM client immediately',
    errors: ['resource.not-found', 'scim-client.token-not-found'],
  },
)

export const releaseScimClient = post(
  '/scim_client/{id}/release/',
  'superUser',
  z.strictObject({ reason: z.string().trim().min(1).max(500) }),
  ScimClient,
  {
    ...ofClient,
    summary: 'Let a held SCIM client continue: what it has changed so far no longer counts',
    errors: ['resource.not-found'],
  },
)
