import { z } from 'zod'
import { Empty, get } from './endpoint.ts'

/** The kinds of records with a retention, as in `retention` of the login configuration. */
export const RECORD_KINDS = ['login', 'visit', 'audit'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

const RecordMonth = z.object({
  /** YYYY-MM, UTC. */
  month: z.string(),
  kind: z.enum(RECORD_KINDS),
  /** As estimated by the database. */
  rows: z.number().int(),
  bytes: z.number().int(),
})

export const RecordRetention = z.object({
  /** A month is archived before it is deleted. */
  isArchived: z.boolean(),
  /** The code of why nothing can be written to the archive now, such as `EROFS`. */
  archiveProblem: z.string().nullable(),
  /** Latest months first. */
  months: z.array(RecordMonth),
  /** The last check for expired months; null: not yet. */
  lastRun: z
    .object({
      at: z.iso.datetime(),
      /** `busy`: some months were in use, and will be retried; `failed`: an error, see the log. */
      result: z.enum(['done', 'busy', 'failed', 'running']),
    })
    .nullable(),
  nextRun: z.iso.datetime(),
  /** The last deletions, latest first. */
  dropped: z.array(
    RecordMonth.extend({ at: z.iso.datetime(), /** The name of its file. */ archive: z.string().nullable() }),
  ),
})
export type RecordRetention = z.infer<typeof RecordRetention>

export const recordRetention = get('/record_retention/details/', 'superUser', Empty, RecordRetention, {
  summary: 'The number of records of each month, and the last and next run that deletes expired months',
})
