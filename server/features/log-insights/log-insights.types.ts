import type { InsightFacts, InsightKind } from '#shared/contract/log-insights.ts'

/** Records from one moment up to and without another. */
export type Span = { from: Date; to: Date }

/** Something that records of a span show. */
export type Found = {
  kind: InsightKind
  /** What it is about: found again soon, it is the same thing that goes on. */
  subject: string
  firstAt: Date
  lastAt: Date
  count: number
  userId: string | null
  applicationId: string | null
  facts: InsightFacts
}
