import { v7 } from 'uuid'
import { DAY_MS, MINUTE_MS } from '#shared/rules/durations.ts'
import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { tellAdministrators } from './insight-messages.service.ts'
import { findInsights, loadSettings } from './insight-search.service.ts'
import { findEnd, findNext } from './insight-search.store.ts'
import { deleteOld, lockProgress, mergeInsight, saveProgress } from './log-insights.store.ts'

/** A record is written within this of its time; a later one is counted with others, but starts nothing. */
const SETTLE_MS = 30_000
/** The period examined in one transaction. */
const STEP_MS = MINUTE_MS
const MAX_STEP_LOGINS = 5000
/** Nobody acts on anything older: after a longer outage, the search starts here. */
const MAX_BEHIND_MS = DAY_MS
/** A run that has not caught up by then continues in the next minute. */
const MAX_RUN_MS = 20_000
/** Kept however many people come from somewhere new. */
const MAX_KEPT = 100_000
const DELETED_AT_ONCE = 5000

/**
 * Every minute: examines the records since the last run, a minute of them at a time. Findings and progress are one transaction, so an
 * interrupted run resumes where it was, and finds nothing twice.
 */
export async function lookForInsights(platform: Platform): Promise<void> {
  const began = performance.now()
  while ((await lookStep(platform)) && performance.now() - began < MAX_RUN_MS);
  await tellAdministrators(systemContext(platform))
}

/** @returns whether there is more to examine */
const lookStep = (platform: Platform): Promise<boolean> =>
  transaction(systemContext(platform), async (ctx) => {
    const end = new Date(ctx.now().getTime() - SETTLE_MS)
    const earliest = new Date(end.getTime() - MAX_BEHIND_MS)
    const until = await lockProgress(ctx.db, earliest)
    if (!until || until >= end) return false
    const from = await findNext(ctx.db, { from: until < earliest ? earliest : until, to: end })
    const to = from ? await stepEnd(ctx, from, end) : end
    if (from) await lookAt(ctx, { from, to })
    await saveProgress(ctx.db, to)
    return to < end
  })

async function stepEnd(ctx: Context, from: Date, end: Date): Promise<Date> {
  const to = new Date(Math.min(from.getTime() + STEP_MS, end.getTime()))
  const full = await findEnd(ctx.db, { from, to }, MAX_STEP_LOGINS)
  // If one millisecond holds more than that, they are examined together.
  return full ? new Date(Math.max(full.getTime(), from.getTime() + 1)) : to
}

async function lookAt(ctx: Context, span: { from: Date; to: Date }): Promise<void> {
  for (const one of await findInsights(ctx.db, span, await loadSettings(ctx))) await mergeInsight(ctx.db, v7(), one)
}

/** Nightly: deletes expired insights, and those beyond what any page can show. */
export async function deleteOldInsights(platform: Platform): Promise<void> {
  const { keepInsightDays } = await loadSettings(platform)
  const before = new Date(platform.now().getTime() - keepInsightDays * DAY_MS)
  while ((await deleteOld(platform.sql, before, MAX_KEPT, DELETED_AT_ONCE)) > 0);
}
