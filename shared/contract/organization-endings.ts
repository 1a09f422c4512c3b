import { z } from 'zod'
import { get, Id, post } from './endpoint.ts'
import { OrganizationDetails } from './organizations.ts'

const OrganizationPath = z.strictObject({ id: Id })
const Version = z.number().int().min(1)

/** What depends on an organisation. */
export const OrganizationEffects = z.object({
  /** Directly in it. */
  people: z.number().int(),
  /** In everything below it. */
  peopleBelow: z.number().int(),
  children: z.number().int(),
  descendants: z.number().int(),
  /** People of other organisations for whom it is a secondary department. */
  secondaryMembers: z.number().int(),
  /** Roles of which the whole organisation is a member. */
  roles: z.number().int(),
  /** Applications granted to the whole organisation, and the first names. */
  grants: z.number().int(),
  applications: z.array(z.string()),
  /** People who administer it. */
  appointments: z.number().int(),
})
export type OrganizationEffects = z.infer<typeof OrganizationEffects>

export const organizationEffects = get(
  '/organization/{id}/affects/',
  'administrator',
  OrganizationPath,
  OrganizationEffects,
  { summary: 'What deleting or merging an organisation affects', errors: ['organization.not-found'] },
)

const refusals = [
  'organization.not-found',
  'organization.below-itself',
  'organization.too-deep',
  'organization.outside',
  'organization.gains',
  'organization.super-user-only',
  'organization.not-empty',
  'organization.ending',
  'organization.takes-over',
  'organization.owned-by-source',
  'access-rule.names-it',
  'version.conflict',
]

/** Null: done. Otherwise the background task, because more than 1,000 people and organisations are affected. */
const TaskId = Id.nullable()

export const mergeOrganization = post(
  '/organization/{id}/merge/',
  'administrator:edit',
  z.strictObject({ version: Version, into: Id }),
  OrganizationDetails.extend({ taskId: TaskId }),
  {
    summary:
      "Merge an organisation into another one: people, children, grants, roles and administrators are moved, then it is deleted; this can't be undone. Returns the other one",
    query: OrganizationPath,
    errors: refusals,
  },
)

export const deleteOrganization = post(
  '/organization/{id}/delete/',
  'administrator:edit',
  z.strictObject({
    version: Version,
    /** The target of its people; absent: it must have none. */
    peopleTo: Id.optional(),
    /** The target of its child organisations; absent: it must have none. */
    childrenTo: Id.optional(),
  }),
  z.object({ taskId: TaskId }),
  {
    summary: 'Delete an organisation',
    query: OrganizationPath,
    errors: refusals,
  },
)

/** The result of the task. */
export const EndingResult = z.object({
  id: Id,
  name: z.string(),
  /** The target of a merge. */
  into: z.object({ id: Id, name: z.string() }).nullable(),
  people: z.number().int(),
  secondaryMembers: z.number().int(),
  children: z.number().int(),
  /** False: it was stopped, and stays with the people still in it. */
  gone: z.boolean(),
})
export type EndingResult = z.infer<typeof EndingResult>
