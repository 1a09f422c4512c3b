import { z } from 'zod'
import { CustomValues, MAX_CUSTOM_FIELDS } from './custom-fields.ts'
import { get, Id, ListQuery, Moment, pageOf, post } from './endpoint.ts'
import { FieldOwner } from './field-owners.ts'
import { CUSTOM_KEY, type CustomFieldName } from './field-rules.ts'

/** Each has the message `person-state.<name>`. Several can apply at once; `enabled` if no other does. */
export const PERSON_STATES = [
  'enabled',
  'disabled',
  'inactive',
  'locked',
  'frozen',
  'dormant',
  'expired',
  'deleted',
] as const
export const PersonState = z.enum(PERSON_STATES)
export type PersonState = z.infer<typeof PersonState>

/** Each has the message `lock-kind.<name>`. */
export const LOCK_KINDS = ['failures', 'administrator', 'dormancy'] as const
export const LockKind = z.enum(LOCK_KINDS)
export type LockKind = z.infer<typeof LockKind>

/** The causes of a freeze, each with the message `freeze-cause.<name>`. */
export const FREEZE_CAUSES = ['leave', 'suspension', 'graduated', 'security', 'other'] as const
export const FreezeCause = z.enum(FREEZE_CAUSES)
export type FreezeCause = z.infer<typeof FreezeCause>

/** Each has the message `freeze-phase.<name>`; `planned`: begins later. */
export const FREEZE_PHASES = ['begun', 'planned'] as const
export const FreezePhase = z.enum(FREEZE_PHASES)

/** Each has the message `dormancy-phase.<name>`; `soon`: notified, but not yet dormant. */
export const DORMANCY_PHASES = ['dormant', 'soon', 'exempt'] as const
export type DormancyPhase = (typeof DORMANCY_PHASES)[number]

const Gender = z.enum(['male', 'female', 'unknown'])
const NamedReference = z.object({ id: Id, code: z.string(), name: z.string() })

/** A current state of an account, with reason and start. */
export const PersonStateDetails = z.object({
  state: PersonState,
  since: z.iso.datetime().nullable(),
  until: z.iso.datetime().nullable(),
  reason: z.string().nullable(),
  /** For a freeze: the internal note. */
  note: z.string().nullable(),
  /** Locked by failures, not by an administrator. */
  byFailures: z.boolean(),
  /** Locked for dormancy. */
  byDormancy: z.boolean(),
})
export type PersonStateDetails = z.infer<typeof PersonStateDetails>

export const UserRow = z.object({
  id: Id,
  account: z.string(),
  name: z.string(),
  organization: NamedReference.nullable(),
  category: NamedReference.nullable(),
  personnelType: NamedReference.nullable(),
  /** Masked. */
  phone: z.string().nullable(),
  /** Masked. */
  mailbox: z.string().nullable(),
  /** Values of custom fields, by key, without sensitive ones. */
  custom: z.record(z.string(), z.string()),
  isSuperUser: z.boolean(),
  /** The most serious first; never empty. */
  states: z.array(PersonStateDetails).min(1),
  lastLogin: z.object({ at: z.iso.datetime(), ip: z.string().nullable(), onCampus: z.boolean().nullable() }).nullable(),
  createdAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
  version: z.number().int(),
})
export type UserRow = z.infer<typeof UserRow>

/** Values of custom fields by key, encoded as a query: `dorm=A12&grantKind=half`. */
export const customFilter = (text: string | undefined): [key: string, value: string][] => [
  ...new URLSearchParams(text ?? ''),
]

/** For the list of people, and for actions on it. */
export const UserFilters = z.strictObject({
  search: z.string().trim().max(100).optional(),
  /** 1 account, 2 name, 3 phone, 4 email address; absent: any. */
  searchBy: z.enum(['1', '2', '3', '4']).optional(),
  /** Including everything below it. */
  organizationId: Id.optional(),
  /** '1': this organisation only. */
  directOnly: z.enum(['0', '1']).optional(),
  categoryId: Id.optional(),
  personnelTypeId: Id.optional(),
  state: PersonState.optional(),
  /** With state `locked`: locked by an administrator, for dormancy, or only by failures. */
  lockedBy: LockKind.optional(),
  /** Frozen now or later, or only one of these. */
  freeze: z.enum(['any', ...FREEZE_PHASES]).optional(),
  freezeCause: FreezeCause.optional(),
  dormancy: z.enum(DORMANCY_PHASES).optional(),
  /** Dormant since this time or later, and since before the other. */
  dormantFrom: Moment.optional(),
  dormantTo: Moment.optional(),
  /** '1': never logged in; '0': logged in at least once. */
  neverLoggedIn: z.enum(['0', '1']).optional(),
  roleId: Id.optional(),
  /** '1': only super users. */
  isSuperUser: z.enum(['0', '1']).optional(),
  /** People with exactly these values of custom fields, as read by `customFilter`. */
  custom: z
    .string()
    .max(3000)
    .refine((text) => customFilter(text).every(([key]) => CUSTOM_KEY.test(key)))
    .refine((text) => customFilter(text).length <= MAX_CUSTOM_FIELDS)
    .optional(),
})
export type UserFilters = z.infer<typeof UserFilters>

// Only for dormant people: there is no index for people who never logged in.
const { search: _, neverLoggedIn: _neverLoggedIn, ...filterShape } = UserFilters.shape

export const listUsers = get(
  '/user_information/query/',
  'administrator',
  ListQuery.extend({
    ...filterShape,
    sort: z.enum(['account', '-account', 'name', '-name', 'createdAt', '-createdAt']).default('account'),
  }),
  pageOf(UserRow),
  { summary: 'The people; deleted ones only with state `deleted`', errors: ['list.too-deep'] },
)

/** `until` null: until an administrator ends it. */
export const DormancyExemption = z.object({ until: z.iso.datetime().nullable() })

export const UserDetails = z.object({
  id: Id,
  account: z.string(),
  name: z.string(),
  nickname: z.string().nullable(),
  gender: Gender,
  birthday: z.iso.date().nullable(),
  /** Whether an identity document number is on file; the number is never shown. */
  hasIdNumber: z.boolean(),
  organization: NamedReference.nullable(),
  /** Names, from the root. */
  organizationPath: z.array(z.string()),
  secondaryOrganizations: z.array(NamedReference),
  category: NamedReference.nullable(),
  personnelType: NamedReference.nullable(),
  roles: z.array(NamedReference),
  /** Unmasked for callers who may change this person. */
  phone: z.string().nullable(),
  mailbox: z.string().nullable(),
  alias: z.string().nullable(),
  /** Values of custom fields, by key; sensitive ones only for callers who may change this person. */
  custom: z.record(z.string(), z.string()),
  isSuperUser: z.boolean(),
  hasPassword: z.boolean(),
  validFrom: z.iso.datetime().nullable(),
  validUntil: z.iso.datetime().nullable(),
  states: z.array(PersonStateDetails).min(1),
  /** A freeze that begins later. */
  plannedFreeze: z
    .object({
      from: z.iso.datetime(),
      until: z.iso.datetime().nullable(),
      reason: z.string().nullable(),
      note: z.string().nullable(),
    })
    .nullable(),
  lastLoginAt: z.iso.datetime().nullable(),
  /** Exempt from dormancy. */
  dormancyExemption: DormancyExemption.nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
  /** Of `PersonField`s. */
  fieldOwners: z.array(FieldOwner),
  /** Whether the caller may do this to the person. */
  may: z.object({ edit: z.boolean(), unlock: z.boolean(), reset: z.boolean() }),
  version: z.number().int(),
})
export type UserDetails = z.infer<typeof UserDetails>

export const PersonPath = z.strictObject({ id: Id })
export const PERSON_NOT_VISIBLE_ERRORS = ['user.not-found'] as const

export const userDetails = get('/user_information/{id}/full_details/', 'administrator', PersonPath, UserDetails, {
  summary: 'Everything about a person, for administrators',
  errors: PERSON_NOT_VISIBLE_ERRORS,
})
export const userTypeId = get(
  '/user_information/{id}/typeId/',
  'administrator',
  PersonPath,
  z.object({ typeId: Id.nullable(), typeCode: z.string().nullable(), typeName: z.string().nullable() }),
  { summary: 'The category of a person', errors: PERSON_NOT_VISIBLE_ERRORS },
)

const text = (max: number) => z.string().max(max)

/** The editable fields of a person. The server validates formats by field, with the codes of `request.invalid`. */
export const PersonShape = {
  name: text(200),
  nickname: text(500).nullable(),
  gender: Gender,
  birthday: text(20).nullable(),
  idNumber: text(60).nullable(),
  organizationId: Id.nullable(),
  secondaryOrganizationIds: z.array(Id).max(50),
  categoryId: Id.nullable(),
  personnelTypeId: Id.nullable(),
  phone: text(60).nullable(),
  mailbox: text(300).nullable(),
  alias: text(100).nullable(),
  validFrom: Moment.nullable(),
  validUntil: Moment.nullable(),
}

/** Each has the message `person-field.<name>`. */
export type PersonField = 'account' | keyof typeof PersonShape | CustomFieldName

/** `problem` has the message `person-problem.<name>`, with these parameters. */
export type FieldProblem = { field: PersonField; problem: PersonProblem; params?: Record<string, string> }

/** The problem of a field, with the message `person-problem.<name>`. */
export const PERSON_PROBLEMS = [
  'missing',
  'too-short',
  'too-long',
  'characters',
  'format',
  'future',
  'not-editable',
  /** Maintained by a sync, named in `source`. */
  'owned-by-source',
  'taken',
  'repeated',
  'unknown',
  'out-of-scope',
  'before-from',
  'reserved',
  'closed',
  'more-permissions',
  'former',
  'gains',
  'not-offered',
] as const
export type PersonProblem = (typeof PERSON_PROBLEMS)[number]

const some = { ...z.object(PersonShape).partial().shape, custom: CustomValues.optional() }

export const createUser = post(
  '/user_information/create/',
  'administrator:edit',
  z.strictObject({ ...some, account: text(200), name: PersonShape.name, activate: z.boolean().default(false) }),
  z.object({
    id: Id,
    /** With `activate`: the one-time code, shown once. */
    activation: z.object({ code: z.string(), expiresAt: z.iso.datetime() }).nullable(),
  }),
  {
    summary: 'Create a person, who then activates the account; `activate`: returns a one-time code for it',
    errors: ['user.gains'],
  },
)

export const updateUser = post(
  '/user_information/{id}/update/',
  'administrator:edit',
  z.strictObject({ ...some, version: z.number().int() }),
  UserDetails,
  {
    query: PersonPath,
    summary: 'Change a person; absent fields are unchanged',
    errors: [
      ...PERSON_NOT_VISIBLE_ERRORS,
      'version.conflict',
      'user.last-super-user',
      'user.gains',
      'policy.locks-out',
    ],
  },
)
