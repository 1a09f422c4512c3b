import type { Language } from '#shared/contract/endpoint.ts'
import type { TemplateName } from '#shared/rules/message-templates.ts'
import type { Context } from '../../platform/platform.ts'
import { findConfiguredChannels, hourlyLimit, loadMessageLimits, loadRoutes } from './gateways.service.ts'
import { purposeOf } from './message-purposes.rules.ts'
import { toRow } from './message-queue.service.ts'
import { findRecipients, findRoutePlan, type RouteTarget } from './message-route.service.ts'
import { canonicalTo, targetHashOf } from './message-target.rules.ts'
import { type Channel, countOfLastHour, insertMessages, listFullTargets, type Recipient } from './messages.store.ts'
import { endOfQuiet } from './quiet-hours.rules.ts'
import { canTextNotice } from './sms-templates.service.ts'
import type { Params } from './templates.service.ts'

export type MassNotice = {
  userId: string
  template: TemplateName & `notice.${string}`
  params: Params
  expiresAt: Date
}

type Delivery = {
  language: Language
  /** They wait until then, so that nobody is disturbed at night. */
  notBefore: Date
}

/** One message to a person: by a route, or to a single address. */
type RoutedNotice = { notice: MassNotice; targets: readonly RouteTarget[] }

/** The share of an hourly limit that mass notices may use, so that codes can still be sent. */
const SHARE_OF_HOUR = 0.5

/**
 * Notifies many people by the purpose's route, else at every bound phone and mailbox that this installation can reach, in a few statements
 * of the caller's transaction. An address at its limit is left out.
 * @returns the number of messages for each; people who are missing are left for later, because half of the channel's hourly limit is used
 *   up.
 */
export async function notifyPeople(
  ctx: Context,
  notices: readonly MassNotice[],
  { language, notBefore }: Delivery,
): Promise<Map<string, number>> {
  const sent = new Map<string, number>()
  if (notices.length === 0) return sent
  const now = ctx.now()
  const [deliveries, room] = [await findDeliveries(ctx, notices), await findRoom(ctx)]
  const isFull = await findFull(ctx, [...deliveries.values()].flat())
  const leaving: RoutedNotice[] = []
  for (const { userId } of notices) {
    const routed = (deliveries.get(userId) ?? []).flatMap(({ notice, targets }) => {
      const first = targets.findIndex((target) => !isFull(target))
      return first < 0 ? [] : [{ notice, targets: targets.slice(first) }]
    })
    const channels = routed.flatMap(({ targets }) => targets.slice(0, 1).map(({ channel }) => channel))
    const limited = channels.filter((channel) => channel === 'mail' || channel === 'sms')
    if (limited.some((channel) => room[channel] < 1)) continue
    for (const channel of limited) room[channel] -= 1
    leaving.push(...routed)
    sent.set(userId, routed.length)
  }
  const [routes, { timeZone }] = [await loadRoutes(ctx), await loadMessageLimits(ctx)]
  const rows = leaving.flatMap(({ notice, targets }) => {
    const { template } = notice
    const channel = targets[0]?.channel ?? 'mail'
    const quiet = endOfQuiet(routes, { purpose: purposeOf(template), channel, at: notBefore, timeZone })
    return toRow(ctx, { ...notice, language, at: now, routeId: null, targets }, quiet, now) ?? []
  })
  await insertMessages(ctx.db, rows)
  return sent
}

async function findFull(ctx: Context, deliveries: readonly RoutedNotice[]): Promise<(target: RouteTarget) => boolean> {
  const limits = await loadMessageLimits(ctx)
  const hashOf = ({ channel, to }: RouteTarget) => targetHashOf(ctx.secrets, channel, canonicalTo(channel, to))
  const share = { ofHour: limits.mostPerTargetAndHour, ofDay: limits.mostPerTargetAndDay, now: ctx.now() }
  const hashes = deliveries.flatMap(({ targets }) => targets.map(hashOf))
  const full = await listFullTargets(ctx.db, hashes, share)
  return (target) => full.has(hashOf(target).toString('hex'))
}

async function findDeliveries(ctx: Context, notices: readonly MassNotice[]): Promise<Map<string, RoutedNotice[]>> {
  const { mail, sms } = await findConfiguredChannels(ctx)
  const people = await findRecipients(
    ctx,
    notices.map(({ userId }) => userId),
  )
  const templates = [...new Set(notices.map(({ template }) => template))]
  const plans = new Map<TemplateName, Awaited<ReturnType<typeof findRoutePlan>>>()
  const texted = new Set<TemplateName>()
  for (const template of templates) {
    plans.set(template, await findRoutePlan(ctx, template))
    if (sms && (await canTextNotice(ctx, template))) texted.add(template)
  }
  const deliveriesTo = (notice: MassNotice, person: Recipient): RoutedNotice[] => {
    const { name, account, mailbox, phone } = person
    const own = { ...notice, params: { name, account, ...notice.params } }
    const plan = plans.get(notice.template)
    if (plan) return [{ notice: own, targets: plan(person, null) }]
    const alone = (channel: Channel, to: string): RoutedNotice => ({
      notice: own,
      targets: [{ channel, to, seconds: 0 }],
    })
    const canText = texted.has(notice.template)
    return [...(mail && mailbox ? [alone('mail', mailbox)] : []), ...(canText && phone ? [alone('sms', phone)] : [])]
  }
  return new Map(
    notices.map((notice) => {
      const person = people.get(notice.userId)
      return [notice.userId, person ? deliveriesTo(notice, person) : []]
    }),
  )
}

async function findRoom(ctx: Context): Promise<Record<Channel, number>> {
  const [limits, now] = [await loadMessageLimits(ctx), ctx.now()]
  const roomOf = async (channel: Channel) =>
    Math.floor(hourlyLimit(limits, channel) * SHARE_OF_HOUR) - (await countOfLastHour(ctx.db, channel, now))
  return { mail: await roomOf('mail'), sms: await roomOf('sms') }
}
