import { z } from 'zod'
import { APPLICATION_ICON } from '../rules/picture-kind.ts'
import { ApplicationCode, ApplicationFields, ApplicationName, ApplicationType, Protocol } from './application-fields.ts'
import { Empty, get, Id, ListQuery, pageOf, post } from './endpoint.ts'
import { selectionOf } from './selection.ts'

const ApplicationState = z.enum(['enabled', 'disabled', 'deleted'])

export const ManagedApplication = z.object({
  id: Id,
  appId: z.string(),
  /** In the caller's language. */
  name: z.string(),
  picture: z.string().nullable(),
  url: z.string().nullable(),
  /** 1 enabled, 0 disabled. */
  state: z.union([z.literal(0), z.literal(1)]),
  deleted: z.boolean(),
  /** The portal itself. */
  builtIn: z.boolean(),
  protocol: Protocol,
  type: ApplicationType,
  categoryName: z.string().nullable(),
  /** In the last 30 days; counted up to 1,000. */
  visits: z.number().int(),
  updatedAt: z.iso.datetime(),
  version: z.number().int(),
})
export type ManagedApplication = z.infer<typeof ManagedApplication>

const Filters = ListQuery.omit({ pageIndex: true, pageSize: true }).extend({
  protocol: Protocol.optional(),
  type: ApplicationType.optional(),
  categoryId: Id.optional(),
  /** Absent: all that are not deleted. */
  state: ApplicationState.optional(),
})
export const ApplicationFilters = Filters

export const listApplications = get(
  '/application_manage/query/',
  'superUser',
  ListQuery.extend({
    ...Filters.shape,
    sort: z.enum(['name', '-name', 'updatedAt', '-updatedAt']).default('name'),
  }),
  pageOf(ManagedApplication),
  {
    summary: 'The applications; `search`: part of a name, its pinyin, the code, the client id or an address',
    errors: ['list.too-deep'],
  },
)

export const ApplicationDetails = ApplicationFields.extend({
  id: Id,
  appId: z.string(),
  protocol: Protocol,
  picture: z.string().nullable(),
  enabled: z.boolean(),
  deletedAt: z.iso.datetime().nullable(),
  builtIn: z.boolean(),
  categoryName: z.string().nullable(),
  /** False: a public client. */
  hasSecret: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  version: z.number().int(),
  // As stored: values registered before a rule became stricter are still returned.
  template: z.string().nullable(),
  url: z.string().nullable(),
  userAttribute: z.string(),
  serviceUrls: z.array(z.string()),
  logoutUrl: z.string().nullable(),
  proxyCallbackUrls: z.array(z.string()),
  redirectUris: z.array(z.string()),
  postLogoutRedirectUris: z.array(z.string()),
  backchannelLogoutUri: z.string().nullable(),
  grantTypes: z.array(z.string()),
})
export type ApplicationDetails = z.infer<typeof ApplicationDetails>

const ApplicationPath = z.strictObject({ id: Id })
const Version = z.number().int().min(1)

export const applicationDetails = get(
  '/application_manage/{id}/details/',
  'superUser',
  ApplicationPath,
  ApplicationDetails,
  {
    summary: 'An application without its secret',
    errors: ['application.not-found'],
  },
)

const TAKEN_ERRORS = [
  'application.code-taken',
  'application.client-id-taken',
  'application-category.not-found',
] as const

/** A secret is returned once and can't be read again. */
const Created = z.object({ id: Id, secret: z.string().nullable() })

export const createApplication = post(
  '/application_manage/create/',
  'superUser',
  ApplicationFields.partial().extend({
    appId: ApplicationCode,
    name: ApplicationName,
    protocol: Protocol,
    /** An uploaded icon. */
    pictureId: Id.optional(),
    /** OAuth 2.0: without a secret, with PKCE. */
    isPublic: z.boolean().default(false),
  }),
  Created,
  {
    summary: 'Create an application; returns the secret of an OAuth 2.0 client, once',
    errors: [...TAKEN_ERRORS, 'file.not-found'],
  },
)

export const updateApplication = post(
  '/application_manage/{id}/update/',
  'superUser',
  z.strictObject({
    version: Version,
    /** The changed fields; `pictureId` is an uploaded icon, null removes it. */
    changes: ApplicationFields.partial().extend({ pictureId: Id.nullable().optional() }),
  }),
  ApplicationDetails,
  {
    query: ApplicationPath,
    summary: 'Change some fields of an application',
    errors: [...TAKEN_ERRORS, 'application.not-found', 'application.built-in', 'version.conflict', 'file.not-found'],
  },
)

const Refused = z.object({ id: Id, name: z.string(), code: z.string(), reason: z.string() })
const BatchOutcome = z.object({ changed: z.number().int(), refused: z.array(Refused) })
const Selection = selectionOf(Filters)

export const setApplicationsEnabled = post(
  '/application_manage/set_enabled/',
  'superUser',
  z.strictObject({ selection: Selection, enabled: z.boolean() }),
  BatchOutcome,
  {
    summary: 'Enable or disable applications; a disabled one loses its tokens and tickets immediately',
    errors: ['selection.changed'],
  },
)

export const deleteApplications = post(
  '/application_manage/delete/',
  'superUser',
  z.strictObject({ selection: Selection }),
  BatchOutcome,
  { summary: 'Delete disabled applications; they can be restored', errors: ['selection.changed'] },
)

export const undeleteApplication = post('/application_manage/{id}/restore/', 'superUser', Empty, ApplicationDetails, {
  query: ApplicationPath,
  summary: 'Restore a deleted application, still disabled',
  errors: ['application.not-found'],
})

export const applicationImpact = get(
  '/application_manage/{id}/impact/',
  'superUser',
  ApplicationPath,
  z.object({
    /** People logged in to it now; counted up to 10,000. */
    inside: z.number().int(),
    /** Grant subjects: roles, organisations, categories, people. */
    grants: z.number().int(),
    consents: z.number().int(),
    /** In the last 30 days; counted up to 10,000. */
    visits: z.number().int(),
  }),
  { summary: 'The people whom disabling or deleting an application would affect', errors: ['application.not-found'] },
)

export const duplicateApplication = post(
  '/application_manage/{id}/duplicate/',
  'superUser',
  z.strictObject({ appId: ApplicationCode, name: ApplicationName }),
  Created,
  {
    query: ApplicationPath,
    summary: 'A new, disabled application with the settings of another, except its addresses, grants and secret',
    errors: ['application.not-found', 'application.built-in', ...TAKEN_ERRORS],
  },
)

export const rotateSecret = post(
  '/application_manage/{id}/secret/rotate/',
  'superUser',
  z.strictObject({ version: Version }),
  z.object({ secret: z.string(), version: Version }),
  {
    query: ApplicationPath,
    summary: 'A new client secret, returned once; the old one becomes invalid immediately',
    errors: ['application.not-found', 'application.not-a-client', 'version.conflict'],
  },
)

export const removeSecret = post(
  '/application_manage/{id}/secret/remove/',
  'superUser',
  z.strictObject({ version: Version }),
  ApplicationDetails,
  {
    query: ApplicationPath,
    summary: 'Make an OAuth 2.0 client public: without a secret, with PKCE',
    errors: ['application.not-found', 'application.not-a-client', 'application.secret-needed', 'version.conflict'],
  },
)

export const checkApplication = post(
  '/application_manage/check/',
  'superUser',
  z.strictObject({
    /** The application being changed. */
    id: Id.optional(),
    appId: z.string().max(100).optional(),
    clientId: z.string().max(100).optional(),
    addresses: z.array(z.string().max(2010)).max(300).default([]),
  }),
  z.object({
    appIdTaken: z.boolean(),
    clientIdTaken: z.boolean(),
    /** Addresses that another application also has, or that are covered by one of its addresses. */
    overlaps: z.array(z.object({ address: z.string(), id: Id, name: z.string(), other: z.string() })),
    /** Addresses that this server never calls. */
    forbidden: z.array(z.string()),
  }),
  { summary: 'Check names and addresses; overlaps with other applications are reported, not refused' },
)

export const uploadApplicationIcon = post(
  '/application_manage/icon/upload/',
  'superUser',
  Empty,
  z.object({ id: Id, /** Its address for browsers. */ url: z.string() }),
  {
    summary: 'Upload an icon (png, jpg or webp by content); kept for a day until it is used',
    errors: ['file.too-large', 'file.unreadable-picture', 'file.too-many-uploads', 'request.malformed', 'file.busy'],
    upload: true,
    mostBodyBytes: APPLICATION_ICON.mostBytes,
  },
)
