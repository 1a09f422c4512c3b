import { z } from 'zod'
import { get, Id } from './endpoint.ts'

const Day = z.object({
  /** `2026-11-21`, in the institution's zone. */
  day: z.iso.date(),
  visits: z.number().int(),
  campusVisits: z.number().int(),
  /** Distinct people. */
  people: z.number().int(),
  /** Failed logins for the application. */
  failures: z.number().int(),
})
export type ApplicationDay = z.infer<typeof Day>

export const queryApplicationStatistics = get(
  '/application_statistics/{id}/query/',
  'superUser',
  z.strictObject({ id: Id, days: z.coerce.number().int().min(1).max(366).default(30) }),
  z.object({ timeZone: z.string(), days: z.array(Day) }),
  { summary: 'The daily use of an application up to today', errors: ['application.not-found'] },
)
