import { v7 } from 'uuid'
import type { Language } from '#shared/contract/endpoint.ts'
import type { TemplateName } from '#shared/rules/message-templates.ts'
import type { Context } from '../../platform/platform.ts'
import { hourlyLimit, loadMessageLimits, loadRoutes } from './gateways.service.ts'
import { purposeOf } from './message-purposes.rules.ts'
import type { RouteTarget } from './message-route.service.ts'
import { canonicalTo, maskTarget, targetHashOf } from './message-target.rules.ts'
import {
  countMessagesToTarget,
  insertMessage,
  isHourlyLimitReached,
  lockTarget,
  type NewMessage,
} from './messages.store.ts'
import { endOfQuiet } from './quiet-hours.rules.ts'
import type { Params } from './templates.service.ts'

export type Draft = {
  template: TemplateName
  userId: string | null
  language: Language
  params: Params
  /** When it happened. */
  at: Date
  expiresAt: Date
  /** The first message of the route; null: this one. */
  routeId: string | null
  /** This one and those after it. */
  targets: readonly RouteTarget[]
}

/** The row for a draft's first target, including the others. */
export function toRow(
  { secrets }: Pick<Context, 'secrets'>,
  draft: Draft,
  notBefore: Date,
  now: Date,
): NewMessage | null {
  const [target, ...next] = draft.targets
  if (!target) return null
  const { template, userId, language, params, at, expiresAt, routeId } = draft
  const { channel, seconds } = target
  const to = canonicalTo(channel, target.to)
  return {
    id: v7(),
    userId,
    channel,
    template,
    language,
    maskedTo: maskTarget(channel, to),
    targetHash: targetHashOf(secrets, channel, to),
    sealed: secrets.seal(JSON.stringify({ to, params, at, next })),
    expiresAt,
    routeId,
    fallOverAt: next.length > 0 ? new Date(notBefore.getTime() + seconds * 1000) : null,
    notBefore,
    now,
  }
}

/**
 * Queues a draft for the first of its targets that is below its limit, in the caller's transaction.
 * @returns false if there is none.
 */
export async function enqueueDraft(ctx: Context, draft: Draft): Promise<boolean> {
  const now = ctx.now()
  const [limits, routes] = [await loadMessageLimits(ctx), await loadRoutes(ctx)]
  const purpose = purposeOf(draft.template)
  for (const [index, { channel }] of draft.targets.entries()) {
    const notBefore = endOfQuiet(routes, { purpose, channel, at: now, timeZone: limits.timeZone })
    const row = toRow(ctx, { ...draft, targets: draft.targets.slice(index) }, notBefore, now)
    if (!row || !(await hasRoom(ctx, row, index > 0 || draft.routeId !== null))) continue
    await insertMessage(ctx.db, row)
    return true
  }
  return false
}

/** @param isFurther a channel whose capacity has not been checked yet */
async function hasRoom(ctx: Context, { channel, targetHash, now }: NewMessage, isFurther: boolean): Promise<boolean> {
  await lockTarget(ctx.db, targetHash)
  const [limits, had] = [await loadMessageLimits(ctx), await countMessagesToTarget(ctx.db, targetHash, now)]
  if (had.ofHour >= limits.mostPerTargetAndHour || had.ofDay >= limits.mostPerTargetAndDay) return false
  if (!isFurther || (channel !== 'mail' && channel !== 'sms')) return true
  return !(await isHourlyLimitReached(ctx.db, channel, hourlyLimit(limits, channel), now))
}
