import { z } from 'zod'
import { get, Id, ListQuery, Moment, pageOf, post } from './endpoint.ts'

/** Grant subjects: members of a role, an organisation with everything below it, a category, or one person. */
export const SUBJECT_KINDS = ['role', 'organization', 'category', 'user'] as const
export const SubjectKind = z.enum(SUBJECT_KINDS)
export type SubjectKind = z.infer<typeof SubjectKind>

/** By its dates: future, current, past. */
export const GRANT_STATES = ['waiting', 'running', 'over'] as const
export const GrantState = z.enum(GRANT_STATES)
export type GrantState = z.infer<typeof GrantState>

const AppId = z.string().min(1).max(100)
const AppIds = z.array(AppId).min(1).max(1000)
/** From the first time until before the second; null: unlimited. */
const Dates = { validFrom: Moment.nullable().default(null), validUntil: Moment.nullable().default(null) }

const CategoryOption = z.object({ id: Id, name: z.string(), parentId: Id.nullable() })
const AppOption = z.object({
  appId: z.string(),
  name: z.string(),
  picture: z.string().nullable(),
  /** 1 enabled, 0 disabled. */
  state: z.union([z.literal(0), z.literal(1)]),
  categoryId: Id.nullable(),
})
export type AppOption = z.infer<typeof AppOption>

/** The grant subject. */
const Member = z.object({
  memberId: Id,
  kind: SubjectKind,
  /** The account of a person, the code of anything else. */
  code: z.string(),
  name: z.string(),
})

export const selectableApplications = get(
  '/application_grant/selectable/',
  'administrator:authorise',
  z.strictObject({ memberId: Id, search: z.string().trim().max(100).default('') }),
  z.object({
    member: Member,
    categories: z.array(CategoryOption),
    /** Available applications that match the search, at most 5,000. */
    applications: z.array(AppOption),
    /** Number of available applications, regardless of the search. */
    selectable: z.number().int(),
    /** Number of granted applications. */
    authorised: z.number().int(),
    /** Number of applications open to everybody, which need no grant. */
    openToAll: z.number().int(),
  }),
  {
    summary:
      'The applications that a role, organisation, category or person can still be granted, with their categories',
    errors: ['application-grant.member-not-found'],
  },
)

const RefusedGrants = z.array(z.object({ appId: z.string(), code: z.string() }))
const Changed = z.object({
  changed: z.number().int(),
  /** Grants that failed, with the reason as an error code. */
  refused: RefusedGrants,
})

/** All, with the number that the person was shown: a different number refuses the whole call. */
const AllSelected = z.literal(true)
const ExpectedCount = z.number().int().min(0)

export const bindApplications = post(
  '/application_grant/bind/',
  'administrator:authorise',
  z.union([
    z.strictObject({ memberId: Id, appIds: AppIds, ...Dates }),
    z.strictObject({ memberId: Id, all: AllSelected, expected: ExpectedCount, ...Dates }),
  ]),
  Changed,
  {
    summary: 'Grant applications to a role, organisation, category or person: some, or all that are left',
    errors: ['application-grant.member-not-found', 'application-grant.dates', 'application-grant.changed-meanwhile'],
  },
)

export const removeApplications = post(
  '/application_grant/remove/',
  'administrator:authorise',
  z.union([
    z.strictObject({ memberId: Id, appIds: AppIds }),
    z.strictObject({ memberId: Id, all: AllSelected, expected: ExpectedCount }),
  ]),
  Changed,
  {
    summary: 'Withdraw applications from a role, organisation, category or person: some, or all',
    errors: ['application-grant.member-not-found', 'application-grant.changed-meanwhile'],
  },
)

const GrantImpactChange = z.enum(['give', 'withdraw'])
export type GrantImpactChange = z.infer<typeof GrantImpactChange>

export const grantImpact = get(
  '/application_grant/impact/',
  'administrator:authorise',
  z.strictObject({
    appId: AppId,
    /** Comma-separated. */
    memberIds: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(Id).min(1).max(50)),
    change: GrantImpactChange,
  }),
  z.object({
    /** People who gain or lose the application, counted up to 10,000. */
    total: z.number().int(),
    totalIsLowerBound: z.boolean(),
    /** The first 50 visible to the caller. */
    people: z.array(z.object({ id: Id, account: z.string(), name: z.string(), organization: z.string().nullable() })),
  }),
  {
    summary: 'Who would gain or lose applications by grants to these subjects, or their withdrawal',
    errors: ['application-grant.member-not-found', 'application-grant.application-not-found'],
  },
)

const Grant = z.object({
  /** Combines application and subject, for lists. */
  id: z.string(),
  applicationId: Id,
  appId: z.string(),
  application: z.string(),
  applicationState: z.union([z.literal(0), z.literal(1)]),
  memberId: Id,
  kind: SubjectKind,
  code: z.string(),
  member: z.string(),
  state: GrantState,
  validFrom: z.iso.datetime().nullable(),
  validUntil: z.iso.datetime().nullable(),
  grantedAt: z.iso.datetime().nullable(),
  grantedBy: z.string().nullable(),
  version: z.number().int(),
})
export type Grant = z.infer<typeof Grant>

export const updateGrant = post(
  '/application_grant/update/',
  'administrator:authorise',
  z.strictObject({ memberId: Id, appId: AppId, ...Dates, version: z.number().int().min(1) }),
  Grant,
  {
    summary: 'Change the validity period of grants',
    errors: [
      'application-grant.member-not-found',
      'application-grant.not-found',
      'application-grant.dates',
      'version.conflict',
    ],
  },
)

export const listGrants = get(
  '/application_grant/query/',
  'administrator',
  ListQuery.extend({
    /** Grants of this application. */
    applicationId: Id.optional(),
    kind: SubjectKind.optional(),
    state: GrantState.optional(),
    /** Active and ending within so many days. */
    endsWithin: z.coerce.number().int().min(1).max(366).optional(),
    sort: z
      .enum(['validUntil', '-validUntil', 'grantedAt', '-grantedAt', 'application', '-application'])
      .default('application'),
  }),
  pageOf(Grant),
  {
    summary: 'Grants of applications; `search`: a name, code or account of the subject, or a name of the application',
    errors: ['list.too-deep'],
  },
)

/** One path by which a person has an application. */
export const AccessPath = z.object({
  /** `whitelist`: open to everybody. */
  kind: z.enum([...SUBJECT_KINDS, 'whitelist']),
  /**
   * Role, organisation or category of the grant; null: the person, everybody, or an organisation that the caller may
   * not see.
   */
  subject: z.string().nullable(),
  /** For a role: how the person has it; for an organisation: by their department or a secondary one. */
  through: z.enum(['user', 'organization', 'category', 'secondary-organization']).nullable(),
  /** The department or category in between. */
  via: z.string().nullable(),
  state: GrantState,
  validFrom: z.iso.datetime().nullable(),
  validUntil: z.iso.datetime().nullable(),
  grantedAt: z.iso.datetime().nullable(),
  grantedBy: z.string().nullable(),
})
export type AccessPath = z.infer<typeof AccessPath>

/** What keeps a person out now: the gate's reasons for account and application, and why no grant applies. */
const Obstacle = z.enum([
  'account.deleted',
  'account.disabled',
  'account.locked',
  'account.locked-by-failures',
  'account.frozen',
  'account.expired',
  'account.not-yet',
  'account.inactive',
  'rule.refused',
  'application.disabled',
  'application.not-granted',
  'grant.waiting',
  'grant.over',
])
export type Obstacle = z.infer<typeof Obstacle>

export const effectiveAccess = get(
  '/application_grant/why/',
  'administrator',
  z.strictObject({ userId: Id, applicationId: Id }),
  z.object({
    applicationId: Id,
    appId: z.string(),
    application: z.string(),
    userId: Id,
    account: z.string(),
    person: z.string(),
    /** May log in and enter now. */
    granted: z.boolean(),
    paths: z.array(AccessPath),
    obstacles: z.array(Obstacle),
    /** When the account is unlocked automatically; null: not locked, or only manually. */
    until: z.iso.datetime().nullable(),
    /** Number of other grants; null: the caller may not count them. */
    otherGrants: z.number().int().nullable(),
  }),
  {
    summary: 'Why a person has an application, or why not',
    errors: ['application-grant.person-not-found', 'application-grant.application-not-found'],
  },
)

const PersonAccess = z.object({
  applicationId: Id,
  appId: z.string(),
  application: z.string(),
  picture: z.string().nullable(),
  state: z.union([z.literal(0), z.literal(1)]),
  /** May log in and enter now. */
  granted: z.boolean(),
  paths: z.array(AccessPath),
  obstacles: z.array(Obstacle),
})
export type PersonAccess = z.infer<typeof PersonAccess>

export const accessOfPerson = get(
  '/application_grant/of_person/{userId}/',
  'administrator',
  ListQuery.extend({ userId: Id, granted: z.enum(['0', '1']).optional() }),
  pageOf(PersonAccess),
  {
    summary: 'Every application that a person has, had or will have, with every path by which they get it',
    errors: ['application-grant.person-not-found', 'list.too-deep'],
  },
)

export const accessToApplication = get(
  '/application_grant/to_application/{applicationId}/',
  'superUser',
  z.strictObject({ applicationId: Id }),
  z.object({
    type: z.enum(['system', 'whitelist']),
    /** Grants by kind of subject. */
    subjects: z.object({
      role: z.number().int(),
      organization: z.number().int(),
      category: z.number().int(),
      user: z.number().int(),
    }),
    /** People who may enter by an active grant, counted up to 10,000. */
    people: z.number().int(),
    peopleIsLowerBound: z.boolean(),
    endingSoon: z.number().int(),
  }),
  {
    summary: 'The number of people with an application; `listGrants` lists the grants',
    errors: ['application-grant.application-not-found'],
  },
)
