import { v7 } from 'uuid'
import { DAY_MS, MINUTE_MS } from '#shared/rules/durations.ts'
import { type Context, type Platform, systemContext, transaction } from '../../platform/platform.ts'
import { tellAdministrators } from './insight-messages.service.ts'
import { findInsights, loadSettings } from './insight-search.service.ts'
import { findEnd, findNext } from './insight-search.store.ts'
import { deleteOld, lockProgress, mergeInsight, saveProgress } from './log-insights.store.ts'

/** A record is written within this of its time; one that comes later is counted with others, but begins nothing. */
const SETTLE_MS = 30_000
/** What is looked at in one transaction. */
const STEP_MS = MINUTE_MS
const MAX_STEP_LOGINS = 5000
/** Nobody acts on what is older: after a longer silence the look begins here. */
const MAX_BEHIND_MS = DAY_MS
/** A run that has not caught up by then goes on in the next minute. */
const MAX_RUN_MS = 20_000
/** However many people come from somewhere new. */
const MAX_KEPT = 100_000
const DELETED_AT_ONCE = 5000

/**
 * Every minute: looks at the records that are new since the last look, a minute of them at a time. What is found and how far was looked
 * is one transaction, so a run that is cut off goes on where it was, and finds nothing twice.
 */
export async function lookForInsights(platform: Platform): Promise<void> {
  const began = performance.now()
  while ((await lookStep(platform)) && performance.now() - began < MAX_RUN_MS);
  await tellAdministrators(systemContext(platform))
}

/** @returns whether there is more to look at. */
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
  // More than that in one millisecond are looked at together.
  return full ? new Date(Math.max(full.getTime(), from.getTime() + 1)) : to
}

async function lookAt(ctx: Context, span: { from: Date; to: Date }): Promise<void> {
  for (const one of await findInsights(ctx.db, span, await loadSettings(ctx))) await mergeInsight(ctx.db, v7(), one)
}

/** Nightly: what has been kept long enough, and what is more than a page could ever be asked for. */
export async function deleteOldInsights(platform: Platform): Promise<void> {
  const { keepInsightDays } = await loadSettings(platform)
  const before = new Date(platform.now().getTime() - keepInsightDays * DAY_MS)
  while ((await deleteOld(platform.sql, before, MAX_KEPT, DELETED_AT_ONCE)) > 0);
}
