import { z } from 'zod'
import { get, Id } from './endpoint.ts'

/** The results per kind; for more use the list. */
export const MAX_FOUND = 6

export const FoundPerson = z.object({
  id: Id,
  account: z.string(),
  name: z.string(),
  organization: z.string().nullable(),
})
export type FoundPerson = z.infer<typeof FoundPerson>

export const FoundOrganization = z.object({
  id: Id,
  name: z.string(),
  /** Names of its ancestors, as far as the caller sees them; empty for a root. */
  within: z.array(z.string()),
})
export type FoundOrganization = z.infer<typeof FoundOrganization>

export const FoundApplication = z.object({ id: Id, appId: z.string(), name: z.string() })
export type FoundApplication = z.infer<typeof FoundApplication>

export const searchEverywhere = get(
  '/global_search/query/',
  'administrator',
  z.strictObject({ search: z.string().trim().min(1).max(100) }),
  z.object({
    people: z.array(FoundPerson).max(MAX_FOUND),
    organizations: z.array(FoundOrganization).max(MAX_FOUND),
    /** Empty unless the caller is a super user. */
    applications: z.array(FoundApplication).max(MAX_FOUND),
    /** Whether there are more than these. */
    more: z.object({ people: z.boolean(), organizations: z.boolean(), applications: z.boolean() }),
  }),
  { summary: 'People, organisations and applications by name, pinyin or number, the best few of each' },
)
