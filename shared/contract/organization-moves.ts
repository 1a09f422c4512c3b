import { z } from 'zod'
import { get, Id } from './endpoint.ts'

/** Applications and roles: the names of the first few, and how many there are. */
const AccessGains = z.object({ names: z.array(z.string()), total: z.number().int() })

export const organizationMoveEffects = get(
  '/organization/{id}/move_affects/',
  'administrator:edit',
  z.strictObject({
    id: Id,
    /** Absent: the top of the tree, for super users alone. */
    parentId: Id.optional(),
  }),
  z.object({
    /** What everybody within it comes to below the new parent, and what goes with the present one. */
    gains: AccessGains,
    loses: AccessGains,
    /** Why the caller may not do it: they would grant what people come to, or do more with them than now. */
    refusal: z.enum(['organization.gains', 'organization.more-powers']).nullable(),
  }),
  {
    summary: 'What people would gain and lose by the move of their organisation',
    errors: ['organization.not-found', 'organization.outside', 'organization.ending'],
  },
)
