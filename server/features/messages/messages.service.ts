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
  /** The account it is about. */
  userId: string | null
  language: Language
  params?: Params
  /** Not sent after this; default: a code five minutes, a notice a day. */
  expiresAt?: Date
  /** It proves this very address, so no other may be used. */
  isBound?: boolean
}

const CODE_MINUTES = 5
const NOTICE_MINUTES = 24 * 60

/**
 * Queues a message in the caller's transaction (`ctx.db`); it is sent in the background after the commit, by the route chosen for its
 * purpose.
 * @throws Refusal `message.channel-unavailable` if no channel can send it now, `message.too-many` if this address has reached its limit.
 *   Neither may reveal who exists: call `canSend` before looking up an account, and count codes yourself.
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

/** @returns false if these addresses have reached their limit */
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
  /** The channel by which the person has just proved their identity. */
  except?: Channel
  /** An address that is no longer bound, or was not before. */
  alsoTo?: { channel: Channel; to: string }[]
}

/**
 * Notifies a person of an event in their account, in the caller's transaction: by the route of its purpose, else at every bound phone and
 * mailbox. The person's action never fails because a notice can't be sent: one above the limit is left out, and one without a gateway fails
 * later.
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
  const routes = [
    (route ?? []).filter(({ channel }) => channel !== except),
    ...single.flatMap(({ channel, to }) => (to ? [alone(channel, to)] : [])),
  ]
  const { language } = ctx.client
  const notice = { template, userId, language, params: { name: person.name, account: person.account, ...params } }
  for (const targets of routes) await enqueueMessage(ctx, notice, targets)
}
