import { z } from 'zod'

/** The initial state of people created at their first third-party login. `inactive`: they have to activate first. */
export const CREATED_STATES = ['ready', 'inactive', 'disabled'] as const

const MAX_VALID_DAYS = 36_500

/** The settings for creating unknown people. */
export const PersonCreation = z.strictObject({
  organizationId: z.uuid().nullable().default(null),
  categoryId: z.uuid().nullable().default(null),
  state: z.enum(CREATED_STATES).default('ready'),
  /** From the creation; null: unlimited. */
  validDays: z.number().int().min(1).max(MAX_VALID_DAYS).nullable().default(null),
})
export type PersonCreation = z.output<typeof PersonCreation>

export const UNBOUND = ['refuse', 'bind', 'create'] as const
export type Unbound = (typeof UNBOUND)[number]
