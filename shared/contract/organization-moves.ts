import { z } from 'zod'
import { get, Id } from './endpoint.ts'

/** Applications and roles: the first names, and the total. */
const AccessGains = z.object({ names: z.array(z.string()), total: z.number().int() })

export const organizationMoveEffects = get(
  '/organization/{id}/move_affects/',
  'administrator:edit',
  z.strictObject({
    id: Id,
    /** Absent: the root of the tree, for super users only. */
    parentId: Id.optional(),
  }),
  z.object({
    /** What everybody in it gains below the new parent, and loses with the current one. */
    gains: AccessGains,
    loses: AccessGains,
    /** Why the caller may not: they would grant what people gain, or get more permissions than now. */
    refusal: z.enum(['organization.gains', 'organization.more-permissions']).nullable(),
  }),
  {
    summary: 'What people would gain and lose if their organisation were moved',
    errors: ['organization.not-found', 'organization.outside', 'organization.ending'],
  },
)
