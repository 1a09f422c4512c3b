import { z } from 'zod'
import { Empty, get } from './endpoint.ts'

/** The records whose age has a limit, as `retention` of the login configuration names them. */
export const RECORD_KINDS = ['login', 'visit', 'audit'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

const RecordMonth = z.object({
  /** YYYY-MM, UTC. */
  month: z.string(),
  kind: z.enum(RECORD_KINDS),
  /** As the database estimates. */
  rows: z.number().int(),
  bytes: z.number().int(),
})

export const RecordRetention = z.object({
  /** A month is archived before it is deleted. */
  isArchived: z.boolean(),
  /** The latest months first. */
  months: z.array(RecordMonth),
  /** When months were last looked for whose retention is over; null: not yet. */
  lastRun: z
    .object({
      at: z.iso.datetime(),
      /** `busy`: some months were being read, and are tried again; `failed`: an error, which is in the log. */
      result: z.enum(['done', 'busy', 'failed', 'running']),
    })
    .nullable(),
  nextRun: z.iso.datetime(),
  /** What was deleted last, the latest first. */
  dropped: z.array(
    RecordMonth.extend({ at: z.iso.datetime(), /** The name of its file. */ archive: z.string().nullable() }),
  ),
})
export type RecordRetention = z.infer<typeof RecordRetention>

export const recordRetention = get('/record_retention/details/', 'superUser', Empty, RecordRetention, {
  summary: 'How many records there are of each month, and the last and the next run that deletes what is too old',
})
