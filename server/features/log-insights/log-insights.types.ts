import type { InsightFacts, InsightKind } from '#shared/contract/log-insights.ts'

/** Records from one moment until just before another. */
export type Span = { from: Date; to: Date }

/** A finding in the records of an interval. */
export type Found = {
  kind: InsightKind
  /** Its subject: found again soon, it is the same insight, continued. */
  subject: string
  firstAt: Date
  lastAt: Date
  count: number
  userId: string | null
  applicationId: string | null
  facts: InsightFacts
}
