import { z } from 'zod'
import { get, Id, post } from './endpoint.ts'
import { OrganizationDetails } from './organizations.ts'

const OrganizationPath = z.strictObject({ id: Id })
const Version = z.number().int().min(1)

/** What depends on an organisation. */
export const OrganizationEffects = z.object({
  /** Right in it. */
  people: z.number().int(),
  /** Everywhere below it. */
  peopleBelow: z.number().int(),
  children: z.number().int(),
  descendants: z.number().int(),
  /** People of other organisations who belong to it beside. */
  secondaryMembers: z.number().int(),
  /** Roles that the whole organisation is a member of. */
  roles: z.number().int(),
  /** Applications that the whole organisation is granted, and the names of the first few. */
  grants: z.number().int(),
  applications: z.array(z.string()),
  /** People who administer it. */
  delegations: z.number().int(),
})
export type OrganizationEffects = z.infer<typeof OrganizationEffects>

export const organizationEffects = get(
  '/organization/{id}/affects/',
  'administrator',
  OrganizationPath,
  OrganizationEffects,
  { summary: 'Whom and what deleting or merging an organisation concerns', errors: ['organization.not-found'] },
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
  'version.conflict',
]

/** Null: it is done. Else the task that goes on with it, because it concerns more than 1,000 people and organisations. */
const TaskId = Id.nullable()

export const mergeOrganization = post(
  '/organization/{id}/merge/',
  'administrator:edit',
  z.strictObject({ version: Version, into: Id }),
  OrganizationDetails.extend({ taskId: TaskId }),
  {
    summary:
      'Merge an organisation into another one: people, children, grants, roles and administrators go over, then it is gone; there is no way back. Answers the other one',
    query: OrganizationPath,
    errors: refusals,
  },
)

export const deleteOrganization = post(
  '/organization/{id}/delete/',
  'administrator:edit',
  z.strictObject({
    version: Version,
    /** Where its people go; absent: it must have none. */
    peopleTo: Id.optional(),
    /** Where the organisations right below it go; absent: it must have none. */
    childrenTo: Id.optional(),
  }),
  z.object({ taskId: TaskId }),
  {
    summary: 'Delete an organisation',
    query: OrganizationPath,
    errors: refusals,
  },
)

/** What the task of an ending answers. */
export const EndingResult = z.object({
  id: Id,
  name: z.string(),
  /** Of a merge: the one that took over. */
  into: z.object({ id: Id, name: z.string() }).nullable(),
  people: z.number().int(),
  secondaryMembers: z.number().int(),
  children: z.number().int(),
  /** False: it was stopped, and stays with whoever is left in it. */
  gone: z.boolean(),
})
export type EndingResult = z.infer<typeof EndingResult>
