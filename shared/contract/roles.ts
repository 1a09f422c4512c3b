import { z } from 'zod'
import { Done, get, Id, Language, ListQuery, pageOf, post } from './endpoint.ts'
import { selectionOf } from './selection.ts'

/** Members of a role: people, departments with everything below them, categories of people. */
const ROLE_MEMBER_KINDS = ['user', 'organization', 'category'] as const
export const RoleMemberKind = z.enum(ROLE_MEMBER_KINDS)
export type RoleMemberKind = z.infer<typeof RoleMemberKind>

/** Letters, digits, hyphen, underscore and dot: applications receive the codes as the attribute `roles`. */
const RoleCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/)
const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}+$/u)
const Names = z.record(Language, Name)

export const RoleFields = z.strictObject({
  code: RoleCode,
  name: Name,
  /** Names by language; a missing one falls back to `name`. */
  names: Names.default({}),
  description: z.string().trim().max(500).default(''),
})

const Role = z.object({
  id: Id,
  code: z.string(),
  /** In the caller's language. */
  name: z.string(),
  description: z.string(),
  /** Members added individually; those by department or category are not counted. */
  people: z.number().int(),
  organizations: z.number().int(),
  categories: z.number().int(),
  applications: z.number().int(),
  updatedAt: z.iso.datetime().nullable(),
  version: z.number().int(),
})
export type Role = z.infer<typeof Role>

export const listRoles = get(
  '/role/query/',
  'superUser',
  ListQuery.extend({
    /** Roles with this application. */
    applicationId: Id.optional(),
    sort: z
      .enum([
        'code',
        '-code',
        'name',
        '-name',
        'people',
        '-people',
        'applications',
        '-applications',
        'updatedAt',
        '-updatedAt',
      ])
      .default('code'),
  }),
  pageOf(Role),
  { summary: 'Roles with the number of their members and applications', errors: ['list.too-deep'] },
)

const RoleOption = z.object({ id: Id, code: z.string(), name: z.string() })

export const roleOptions = get('/role/options/', 'administrator', ListQuery, pageOf(RoleOption), {
  summary: 'Roles to choose from, by their code and name only',
  errors: ['list.too-deep'],
})

/** A role as its form needs it. */
export const RoleDetails = Role.omit({ name: true }).extend({
  name: z.string(),
  names: Names,
  createdAt: z.iso.datetime().nullable(),
})
export type RoleDetails = z.infer<typeof RoleDetails>

const RolePath = z.strictObject({ id: Id })
const Version = z.number().int().min(1)

export const roleDetails = get('/role/{id}/details/', 'superUser', RolePath, RoleDetails, {
  summary: 'One role',
  errors: ['role.not-found'],
})

export const createRole = post('/role/create/', 'superUser', RoleFields, z.object({ id: Id }), {
  summary: 'Create a role',
  errors: ['role.code-taken'],
})

export const updateRole = post(
  '/role/{id}/update/',
  'superUser',
  RoleFields.extend({ version: Version }),
  RoleDetails,
  {
    query: RolePath,
    summary: 'Change the names, the code and the description of a role',
    errors: ['role.not-found', 'role.code-taken', 'version.conflict'],
  },
)

/** The effects of deleting a role. Counts stop at 10,000. */
const RoleImpact = z.object({
  people: z.number().int(),
  organizations: z.number().int(),
  categories: z.number().int(),
  /** The first applications granted to it. */
  applications: z.array(z.string()),
  applicationTotal: z.number().int(),
  /** All members in any way, at most 10,000. */
  reached: z.number().int(),
  reachedIsLowerBound: z.boolean(),
  version: z.number().int(),
})

export const roleImpact = get('/role/{id}/impact/', 'superUser', RolePath, RoleImpact, {
  summary: 'What deleting a role would affect',
  errors: ['role.not-found'],
})

export const deleteRole = post('/role/{id}/delete/', 'superUser', z.strictObject({ version: Version }), Done, {
  query: RolePath,
  summary: 'Delete a role with its memberships and authorisations',
  errors: ['role.not-found', 'access-rule.names-it', 'version.conflict'],
})

export const RoleMember = z.object({
  id: Id,
  kind: RoleMemberKind,
  /** The account of a person, the code of anything else. */
  code: z.string(),
  name: z.string(),
  /** The department of a person, the parent of a department. */
  place: z.string().nullable(),
  addedAt: z.iso.datetime().nullable(),
  addedBy: z.string().nullable(),
})
export type RoleMember = z.infer<typeof RoleMember>

const MemberFilters = z.strictObject({ search: z.string().trim().max(100).default('') })

export const listRoleMembers = get(
  '/role/{id}/member/',
  'superUser',
  ListQuery.extend({
    id: Id,
    kind: RoleMemberKind.default('user'),
    sort: z.enum(['code', '-code', 'addedAt', '-addedAt']).default('code'),
  }),
  pageOf(RoleMember),
  { summary: 'The members of a role, one kind at a time', errors: ['role.not-found', 'list.too-deep'] },
)

const Ids = z.array(Id).min(1).max(1000)
const Changed = z.object({
  changed: z.number().int(),
  /** Members that failed, with the reason as an error code. */
  refused: z.array(z.object({ id: Id, code: z.string() })),
})

/** The result of the task that removes more than 1,000 members. */
export const RemovedMembers = z.strictObject({ changed: z.number().int() })

export const addRoleMembers = post(
  '/role/{id}/member/add/',
  'superUser',
  z.strictObject({ kind: RoleMemberKind, ids: Ids }),
  Changed,
  { query: RolePath, summary: 'Add members of one kind to a role', errors: ['role.not-found', 'policy.locks-out'] },
)

export const removeRoleMembers = post(
  '/role/{id}/member/remove/',
  'superUser',
  z.strictObject({ kind: RoleMemberKind, selection: selectionOf(MemberFilters) }),
  Changed.extend({
    /** The background task, for more than 1,000. */
    taskId: Id.nullable(),
  }),
  {
    query: RolePath,
    summary: 'Remove members of one kind from a role: some, or all that the list finds',
    errors: ['role.not-found', 'role.members-changed'],
  },
)

/** A role of a person, and how they got it. */
const PersonRole = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  /** `user`: added individually; else by the department or category in `via`. */
  kind: RoleMemberKind,
  via: z.string().nullable(),
})

export const rolesOfPerson = get(
  '/role/of_person/{userId}/',
  'administrator',
  ListQuery.extend({ userId: Id }),
  pageOf(PersonRole),
  { summary: 'The roles of a person and how they came to them', errors: ['list.too-deep', 'role.person-not-found'] },
)
