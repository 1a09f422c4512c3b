import { z } from 'zod'
import { get, Id } from './endpoint.ts'

/** Applications and roles: the names of the first few, and how many there are. */
const Things = z.object({ names: z.array(z.string()), total: z.number().int() })

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
    gains: Things,
    loses: Things,
    /** False: the caller may not authorise it. */
    mayMove: z.boolean(),
  }),
  {
    summary: 'What people would gain and lose by the move of their organisation',
    errors: ['organization.not-found', 'organization.outside', 'organization.ending'],
  },
)
