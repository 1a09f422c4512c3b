import type { Language } from '#shared/contract/endpoint.ts'
import { type TemplateName, templateKind } from '#shared/rules/message-templates.ts'
import type { Context } from '../../platform/platform.ts'
import { findReadyChannels } from './gateways.service.ts'
import { enqueueDraft } from './message-queue.service.ts'
import { findRecipients, findRoutePlan, type RouteTarget } from './message-route.service.ts'
import { errors } from './messages.errors.ts'
import type { Channel } from './messages.store.ts'
import { canTextNotice } from './sms-templates.service.ts'
import type { Params } from './templates.service.ts'

export type Message = {
  template: TemplateName
  channel: Channel
  to: string
  /** Whose account it is about. */
  userId: string | null
  language: Language
  params?: Params
  /** After this it is not sent any more; default: a code after five minutes, a notice after a day. */
  expiresAt?: Date
  /** It proves this very address, so it goes by no other. */
  isBound?: boolean
}

const CODE_MINUTES = 5
const NOTICE_MINUTES = 24 * 60

/**
 * Queues a message in the caller's transaction (`ctx.db`); it leaves in the background once that commits, by the route that was chosen
 * for its purpose.
 * @throws Refusal `message.channel-unavailable` when nobody could send it now, `message.too-many` when this address has had
 * its share. Neither may tell who exists: ask `canSend` before looking for an account, and count codes yourself.
 */
export async function sendMessage(ctx: Context, message: Message): Promise<void> {
  const { channel, template, to, userId, isBound = false } = message
  const plan = isBound || userId === null ? null : await findRoutePlan(ctx, template)
  const person = plan && userId !== null ? (await findRecipients(ctx, [userId])).get(userId) : undefined
  const route = plan && person ? plan(person, { channel, to }) : null
  const isReady = route ? route.length > 0 : (await findReadyChannels(ctx))[channel]
  if (!isReady) throw errors['message.channel-unavailable']()
  if (!(await enqueueMessage(ctx, message, route ?? alone(channel, to)))) throw errors['message.too-many']()
}

const alone = (channel: Channel, to: string): RouteTarget[] => [{ channel, to, seconds: 0 }]

/** @returns false when these addresses have had as many as they may. */
async function enqueueMessage(
  ctx: Context,
  { template, userId, language, params = {}, expiresAt }: Omit<Message, 'channel' | 'to'>,
  targets: readonly RouteTarget[],
): Promise<boolean> {
  const at = ctx.now()
  const minutes = templateKind(template) === 'code' ? CODE_MINUTES : NOTICE_MINUTES
  const until = expiresAt ?? new Date(at.getTime() + minutes * 60_000)
  return await enqueueDraft(ctx, { template, userId, language, params, at, expiresAt: until, routeId: null, targets })
}

type Notice = {
  userId: string
  template: TemplateName & `notice.${string}`
  params?: Params
  /** The channel through which the person has just proven themselves. */
  except?: Channel
  /** An address that is no longer bound, or was not before. */
  alsoTo?: { channel: Channel; to: string }[]
}

/**
 * Tells a person what has happened to their account, in the caller's transaction: by the route of its purpose, else at every bound phone
 * and mailbox. What the person did is never refused because a notice can't be sent: one too many is left out, and what has no gateway
 * fails later.
 */
export async function notifyPerson(
  ctx: Context,
  { userId, template, params, except, alsoTo = [] }: Notice,
): Promise<void> {
  const person = (await findRecipients(ctx, [userId])).get(userId)
  if (!person) return
  const route = (await findRoutePlan(ctx, template))?.(person, null) ?? null
  const bound = [
    { channel: 'mail' as const, to: person.mailbox },
    { channel: 'sms' as const, to: person.phone },
  ]
  const canText = await canTextNotice(ctx, template)
  const own = route ? [] : bound.filter(({ channel }) => channel !== except)
  const single = [...own, ...alsoTo].filter(({ channel }) => channel === 'mail' || canText)
  const ways = [
    (route ?? []).filter(({ channel }) => channel !== except),
    ...single.flatMap(({ channel, to }) => (to ? [alone(channel, to)] : [])),
  ]
  const { language } = ctx.client
  const notice = { template, userId, language, params: { name: person.name, account: person.account, ...params } }
  for (const targets of ways) await enqueueMessage(ctx, notice, targets)
}
