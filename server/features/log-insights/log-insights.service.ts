import { InsightFacts, type LogInsight, type searchInsights } from '#shared/contract/log-insights.ts'
import type { SqlFragment } from '../../platform/db.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf, transaction } from '../../platform/platform.ts'
import { inScope, seesEverything } from '../access/index.ts'
import { recordAudit, recordReading } from '../records/index.ts'
import { errors } from './log-insights.errors.ts'
import { findProgress, type InsightRow, pageOfInsights, setDismissal } from './log-insights.store.ts'

/** Insights about an address, an application or a channel are for super users only; administrators see those about their people. */
const seenBy = (ctx: Context): SqlFragment =>
  seesEverything(ctx)
    ? ctx.db`true`
    : ctx.db`exists (select from users p where p.id = i.user_id and ${inScope(ctx, ctx.db`p.organization_id`)})`

const toInsight = ({ key: _, facts, ...row }: InsightRow): LogInsight => ({
  ...row,
  ...InsightFacts.parse(facts),
  firstAt: row.firstAt.toISOString(),
  lastAt: row.lastAt.toISOString(),
  dismissedAt: toIso(row.dismissedAt),
})

export async function findPage(ctx: Context, query: Input<typeof searchInsights>['query']) {
  const { kind = null, state, from, to, after, pageSize } = query
  await recordReading(ctx, { what: 'log-insights', userId: null })
  const filter = {
    kind,
    isDismissed: state === undefined ? null : state === 'dismissed',
    from: from ? new Date(from) : null,
    to: to ? new Date(to) : null,
    after: after ? { at: after.slice(0, 27), id: after.slice(28) } : null,
  }
  const rows = await pageOfInsights(ctx.db, seenBy(ctx), filter, pageSize + 1, ctx.client.language)
  const shown = rows.slice(0, pageSize)
  return {
    records: shown.map(toInsight),
    next: rows.length > pageSize ? (shown.at(-1)?.key ?? null) : null,
    lookedUntil: toIso(await findProgress(ctx.db)),
  }
}

/** @throws Refusal `log-insight.not-found`, also for one that the caller may not see. */
export async function changeDismissal(ctx: Context, id: string, isDismissed: boolean): Promise<null> {
  return await transaction(ctx, async (inner) => {
    const dismissal = isDismissed ? { at: inner.now(), by: callerOf(inner).userId } : null
    const isDone = await setDismissal(inner.db, seenBy(inner), id, dismissal)
    if (isDone === false) throw errors['log-insight.not-found']()
    const action = isDismissed ? 'log-insight.dismiss' : 'log-insight.reopen'
    const states = { before: { isDismissed: !isDismissed }, after: { isDismissed } }
    if (isDone) await recordAudit(inner, { action, targetKind: 'log-insight', targetId: id, ...states })
    return null
  })
}
