import { z } from 'zod'
import { Done, get, Id, ListQuery, Moment, pageOf, post } from './endpoint.ts'

/** Refusals of every call by an application, besides its own. */
export const OPEN_API_ERRORS = [
  'open-api.application-disabled',
  'open-api.interface-disabled',
  'open-api.not-granted',
  'open-api.too-many-calls',
] as const

/** Calls per minute of an application to an interface, unless the grant says otherwise. */
export const DEFAULT_CALLS_PER_MINUTE = 600
export const MAX_CALLS_PER_MINUTE = 60_000

/** Under the names of the application's registration; only released ones. */
const Attributes = z.record(z.string(), z.array(z.string()))

const OpenPerson = z.object({
  id: Id,
  /** The identifier that the application gets at a login; null: no value. */
  user: z.string().nullable(),
  /** Could log in now; the reason is not revealed. */
  active: z.boolean(),
  attributes: Attributes,
  changedAt: z.iso.datetime(),
})
export type OpenPerson = z.infer<typeof OpenPerson>

const Account = z.string().trim().min(1).max(100)

export const readOwnApplication = get(
  '/open_api/application/',
  'application',
  z.strictObject({}),
  z.object({
    appId: z.string(),
    name: z.string(),
    protocol: z.enum(['cas', 'oauth2']),
    type: z.enum(['system', 'whitelist']),
    /** Names of the attributes it receives. */
    attributes: z.array(z.string()),
    interfaces: z.array(z.object({ apiId: z.string(), callsPerMinute: z.number().int() })),
  }),
  {
    apiId: 'application.read',
    summary: 'The calling application, the attributes it receives and the calls it may make',
  },
)

export const readPerson = get(
  '/open_api/person/',
  'application',
  z.strictObject({ account: Account.optional(), id: Id.optional() }).refine(({ account, id }) => !account !== !id, {
    path: ['account'],
  }),
  OpenPerson,
  {
    apiId: 'person.read',
    summary: 'One person by account or id; people who may not use the application are not found',
    errors: ['open-api.person-not-found'],
  },
)

/** The encrypted position of the next page; the application returns it unchanged. */
const Cursor = z.string().regex(/^[\w.-]{1,1000}$/)
const CursorQuery = { after: Cursor.optional(), pageSize: z.coerce.number().int().min(1).max(500).default(100) }
/** A page may have fewer people than requested, even none: continue until `next` is null. */
const People = z.object({ people: z.array(OpenPerson), next: Cursor.nullable() })

export const listPeopleOfOrganization = get(
  '/open_api/people/',
  'application',
  z.strictObject({
    organizationCode: z.string().trim().min(1).max(100),
    /** '1': without the people of organisations below. */
    directOnly: z.enum(['0', '1']).default('0'),
    ...CursorQuery,
  }),
  People,
  {
    apiId: 'people.list',
    summary: 'The people of an organisation and below who may use the application',
    errors: ['open-api.organization-not-found'],
  },
)

export const listChangedPeople = get(
  '/open_api/people_changes/',
  'application',
  z.strictObject({ since: Moment, ...CursorQuery }),
  People,
  {
    apiId: 'people.changes',
    summary: 'People who may use the application and have changed since a time, oldest change first',
  },
)

export const listOpenOrganizations = get(
  '/open_api/organization_children/',
  'application',
  ListQuery.omit({ search: true }).extend({
    /** Absent: the root organisations. */
    parentCode: z.string().trim().min(1).max(100).optional(),
  }),
  pageOf(
    z.object({
      code: z.string(),
      name: z.string(),
      parentCode: z.string().nullable(),
      attribute: z.string().nullable(),
      enabled: z.boolean(),
      hasChildren: z.boolean(),
    }),
  ),
  {
    apiId: 'organization.children',
    summary: 'The organisations directly below another, in the order of the institution',
    errors: ['open-api.organization-not-found', 'list.too-deep'],
  },
)

export const recordVisitOfPerson = post(
  '/open_api/app_visit/',
  'application',
  z.strictObject({
    account: Account,
    /** The person's address; absent: the application's own. */
    ip: z.union([z.ipv4(), z.ipv6()]).optional(),
  }),
  Done,
  {
    apiId: 'visit.record',
    summary: 'Record a visit that did not come through the portal',
    errors: ['open-api.person-not-found'],
  },
)
