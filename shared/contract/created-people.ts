import { z } from 'zod'

/** How somebody begins who is created at their first login by another system. `inactive`: they have to activate first. */
export const CREATED_STATES = ['ready', 'inactive', 'disabled'] as const

const MAX_VALID_DAYS = 36_500

/** What is made of somebody whom nobody here knows, where unknown people are created. */
export const PersonCreation = z.strictObject({
  organizationId: z.uuid().nullable().default(null),
  categoryId: z.uuid().nullable().default(null),
  state: z.enum(CREATED_STATES).default('ready'),
  /** From the creation on; null: without an end. */
  validDays: z.number().int().min(1).max(MAX_VALID_DAYS).nullable().default(null),
})
export type PersonCreation = z.output<typeof PersonCreation>

export const UNBOUND = ['refuse', 'bind', 'create'] as const
export type Unbound = (typeof UNBOUND)[number]
