import {
  MESSAGE_CHANNELS,
  type MessageChannel,
  QUOTA_KEYS,
  REQUESTED_WAIT_SECONDS,
  type RouteStep,
} from '#shared/contract/message-routes.ts'
import type { TemplateName } from '#shared/rules/message-templates.ts'
import type { Context, Platform } from '../../platform/platform.ts'
import { findReadyChannels, isChannelConfigured, loadMessageLimits, loadRoutes } from './gateways.service.ts'
import { findChannelsDown } from './gateways.store.ts'
import { isCodePurpose, purposeOf } from './message-purposes.rules.ts'
import { type Channel, listRecipients, type Recipient, takeFromQuota } from './messages.store.ts'
import { localTime } from './quiet-hours.rules.ts'
import { canTextNotice } from './sms-templates.service.ts'

/** One channel of a route, with this person's address there. */
export type RouteTarget = {
  channel: MessageChannel
  to: string
  /** How long to wait for it before the next one. */
  seconds: number
}

/** The channels of a template's route; empty: none was chosen. */
export async function routeOf(platform: Platform, template: TemplateName): Promise<readonly RouteStep[]> {
  const purpose = purposeOf(template)
  return purpose === null ? [] : (await loadRoutes(platform))[purpose]
}

/** Channels that are configured. */
async function findUsableChannels(ctx: Context, template: TemplateName): Promise<ReadonlySet<MessageChannel>> {
  const purpose = purposeOf(template)
  const isText = purpose !== null && isCodePurpose(purpose)
  const usable = await Promise.all(
    MESSAGE_CHANNELS.map(async (channel) => {
      if (!(await isChannelConfigured(ctx, channel))) return []
      return channel !== 'sms' || isText || (await canTextNotice(ctx, template)) ? [channel] : []
    }),
  )
  return new Set(usable.flat())
}

/**
 * Could a message of this template be sent now, whoever it is for? Reveals nothing about any person.
 * @param channel that the person asks for.
 */
export async function canSend(ctx: Context, template: TemplateName, channel: Channel): Promise<boolean> {
  if ((await findReadyChannels(ctx))[channel]) return true
  const route = await routeOf(ctx, template)
  const [usable, down] = [await findUsableChannels(ctx, template), await findChannelsDown(ctx.db, ctx.now())]
  return route.some((step) => step.channel !== channel && usable.has(step.channel) && !down.has(step.channel))
}

/**
 * Where a code of this template may arrive, in this order. Reveals nothing about any person.
 * @param requested the channel that the person asks for.
 */
export async function listCodeChannels(
  ctx: Context,
  template: TemplateName,
  requested: Channel,
): Promise<MessageChannel[]> {
  const route = (await routeOf(ctx, template)).map(({ channel }) => channel)
  if (route.length === 0) return [requested]
  const [usable, down] = [await findUsableChannels(ctx, template), await findChannelsDown(ctx.db, ctx.now())]
  const channels = route.includes(requested) ? route : [requested, ...route]
  return channels.filter((channel) => usable.has(channel) && !down.has(channel))
}

/** For these people, where each can be reached. */
export const findRecipients = async (ctx: Context, userIds: readonly string[]): Promise<Map<string, Recipient>> =>
  new Map((await listRecipients(ctx.db, userIds, ctx.now())).map((person) => [person.id, person]))

/** A person's address on a channel. @param isCode it gives access to their account */
export function addressOf(person: Recipient, channel: MessageChannel, isCode: boolean): string | null {
  // A contact just set by an administrator must not open the account, on any route.
  if (channel === 'mail') return isCode && !person.isMailboxTrusted ? null : person.mailbox
  if (channel === 'sms') return isCode && !person.isPhoneTrusted ? null : person.phone
  if (channel === 'http') return person.account
  return person[channel]
}

/** The address to which a person requests a code; null: it is a notice. */
type NamedTarget = { channel: Channel; to: string } | null
type RoutePlan = (person: Recipient, named: NamedTarget) => readonly RouteTarget[]

/**
 * Returns the targets of messages of a template, in the order of its route; null: no route is chosen. Each of them is the person's own, and
 * a channel known to be down is skipped if there is another.
 */
export async function findRoutePlan(ctx: Context, template: TemplateName): Promise<RoutePlan | null> {
  const route = await routeOf(ctx, template)
  if (route.length === 0) return null
  const [usable, down] = [await findUsableChannels(ctx, template), await findChannelsDown(ctx.db, ctx.now())]
  return (person, named) => {
    const isNamed = route.some(({ channel }) => channel === named?.channel)
    const steps = named && !isNamed ? [{ channel: named.channel, seconds: REQUESTED_WAIT_SECONDS }, ...route] : route
    const targets = steps.flatMap(({ channel, seconds }): RouteTarget[] => {
      const to = channel === named?.channel ? named.to : addressOf(person, channel, named !== null)
      return to && usable.has(channel) ? [{ channel, to, seconds }] : []
    })
    const present = targets.filter(({ channel }) => !down.has(channel))
    return present.length > 0 ? present : targets
  }
}

/** Counts a message against the channel's daily quota. @returns false if it is used up */
export async function takeFromDay(platform: Platform, channel: MessageChannel): Promise<boolean> {
  const [routes, { timeZone }] = [await loadRoutes(platform), await loadMessageLimits(platform)]
  const { day } = localTime(platform.now(), timeZone)
  return await takeFromQuota(platform.sql, { channel, day, most: routes[QUOTA_KEYS[channel]] })
}
