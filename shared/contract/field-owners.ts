import { z } from 'zod'
import { Id } from './endpoint.ts'

/** A sync that owns a field, which is read-only here. */
export const FieldOwner = z.object({
  field: z.string(),
  syncId: Id,
  sync: z.string(),
  source: z.string(),
  /** The run that linked the person or department. */
  runId: Id.nullable(),
  since: z.iso.datetime().nullable(),
})
export type FieldOwner = z.infer<typeof FieldOwner>
