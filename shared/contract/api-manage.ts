import { z } from 'zod'
import { Done, get, Id, ListQuery, pageOf, post } from './endpoint.ts'
import { Period } from './list-filters.ts'
import { MAX_CALLS_PER_MINUTE } from './open-api.ts'

const ApiId = z
  .string()
  .regex(/^[a-z]+(\.[a-z-]+)+$/)
  .max(60)
/** 1 on, 0 off. */
const Status = z.union([z.literal(0), z.literal(1)])

export const Interface = z.object({
  apiId: z.string(),
  /** What it does, in the caller's language. */
  apiComment: z.string(),
  apiPath: z.string(),
  apiMethod: z.enum(['GET', 'POST']),
  status: Status,
  /** Number of applications with a grant. */
  applications: z.number().int(),
  /** Within the last 24 hours. */
  calls: z.number().int(),
  failures: z.number().int(),
  version: z.number().int(),
})
export type Interface = z.infer<typeof Interface>

const Filters = {
  status: z.enum(['0', '1']).optional(),
  apiMethod: z.enum(['GET', 'POST']).optional(),
  sort: z.enum(['apiId', '-apiId', 'apiPath', '-apiPath']).default('apiId'),
}

export const listInterfaces = get('/api_manage/query/', 'superUser', ListQuery.extend(Filters), pageOf(Interface), {
  summary: 'The calls that applications can be granted; `search`: part of an id, a path or what it does',
})

export const updateInterface = post(
  '/api_manage/{apiId}/update/',
  'superUser',
  z.strictObject({ status: Status, version: z.number().int().min(0) }),
  Interface,
  {
    query: z.strictObject({ apiId: ApiId }),
    summary: 'Enable or disable an interface for every application',
    errors: ['interface.not-found', 'version.conflict'],
  },
)

export const GrantedInterface = Interface.omit({ applications: true }).extend({
  /** Null: the default. */
  callsPerMinute: z.number().int().nullable(),
  grantedAt: z.iso.datetime(),
  grantedBy: z.string().nullable(),
})
export type GrantedInterface = z.infer<typeof GrantedInterface>

const ApplicationPath = z.strictObject({ id: Id })

export const listGrantedInterfaces = get(
  '/application_interface/{id}/query/',
  'superUser',
  ListQuery.extend({ id: Id, sort: Filters.sort }),
  pageOf(GrantedInterface),
  { summary: 'The interfaces granted to an application', errors: ['application.not-found'] },
)

const ApiIds = z.strictObject({ apiIds: z.array(ApiId).min(1).max(100) })
const Changed = z.object({ changed: z.number().int() })

export const grantInterfaces = post('/application_interface/{id}/grant/', 'superUser', ApiIds, Changed, {
  query: ApplicationPath,
  summary: 'Grant interfaces to an application',
  errors: ['application.not-found', 'interface.not-found'],
})

export const withdrawInterfaces = post('/application_interface/{id}/withdraw/', 'superUser', ApiIds, Changed, {
  query: ApplicationPath,
  summary: 'Withdraw interfaces from an application, effective with the next call',
  errors: ['application.not-found'],
})

export const limitInterface = post(
  '/application_interface/{id}/limit/',
  'superUser',
  z.strictObject({
    apiId: ApiId,
    callsPerMinute: z.number().int().min(1).max(MAX_CALLS_PER_MINUTE).nullable(),
    version: z.number().int().min(1),
  }),
  GrantedInterface,
  {
    query: ApplicationPath,
    summary: 'The calls per minute of an application to an interface; null: the default',
    errors: ['application.not-found', 'interface.not-granted', 'version.conflict'],
  },
)

const AppKey = z.object({
  id: Id,
  /** The last characters of the key. */
  hint: z.string(),
  createdAt: z.iso.datetime(),
  createdBy: z.string().nullable(),
  /** Null: until replaced or revoked. */
  validUntil: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type AppKey = z.infer<typeof AppKey>

export const listAppKeys = get(
  '/application_key/{id}/query/',
  'superUser',
  ApplicationPath,
  z.object({ appId: z.string(), keys: z.array(AppKey) }),
  {
    summary: 'The valid app keys of an application, without the keys themselves',
    errors: ['application.not-found'],
  },
)

/** Hours for which the old key stays valid while the application switches to the new one. */
export const KEY_OVERLAP_HOURS = [0, 24, 168] as const

export const createAppKey = post(
  '/application_key/{id}/create/',
  'superUser',
  z.strictObject({ keepHours: z.union([z.literal(0), z.literal(24), z.literal(168)]).default(24) }),
  z.object({ appKey: z.string(), key: AppKey }),
  {
    query: ApplicationPath,
    summary: 'Issue a new app key for an application, shown once; the old one stays valid for `keepHours`',
    errors: ['application.not-found'],
  },
)

export const revokeAppKey = post('/application_key/{id}/revoke/', 'superUser', z.strictObject({ keyId: Id }), Done, {
  query: ApplicationPath,
  summary: 'Revoke an app key immediately',
  errors: ['application.not-found', 'app-key.not-found'],
})

export const ApiCall = z.object({
  id: Id,
  at: z.iso.datetime(),
  apiId: z.string(),
  apiComment: z.string(),
  status: z.number().int(),
  /** Null: succeeded. */
  code: z.string().nullable(),
  /** The code's message, in the caller's language. */
  reason: z.string().nullable(),
  ms: z.number().int(),
  ip: z.string(),
  requestId: z.string(),
})
export type ApiCall = z.infer<typeof ApiCall>

export const listApiCalls = get(
  '/application_interface/{id}/calls/',
  'superUser',
  ListQuery.omit({ search: true }).extend({
    id: Id,
    apiId: ApiId.optional(),
    result: z.enum(['answered', 'refused']).optional(),
    ...Period,
    sort: z.enum(['at', '-at']).default('-at'),
  }),
  pageOf(ApiCall),
  { summary: 'The calls of an application within the last weeks', errors: ['application.not-found', 'list.too-deep'] },
)
