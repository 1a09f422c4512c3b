import { v7 } from 'uuid'
import type { Language } from '#shared/contract/endpoint.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { toE164 } from '#shared/rules/phone.ts'
import type { Context } from '../../platform/platform.ts'
import { canTextNotices, findReadyChannels, loadMessageLimits } from './gateways.service.ts'
import { errors } from './messages.errors.ts'
import { type Channel, countMessagesToTarget, findRecipient, insertMessage, lockTarget } from './messages.store.ts'
import { type Params, templateKind } from './templates.service.ts'
import type { TemplateName } from './wording.rules.ts'

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
}

const CODE_MINUTES = 5
const NOTICE_MINUTES = 24 * 60

/**
 * Queues a message in the caller's transaction (`ctx.db`); it leaves in the background once that commits.
 * @throws Refusal `message.channel-unavailable` when nobody could send it now, `message.too-many` when this address has had
 * its share. Neither may tell who exists: ask `channelsReady` before looking for an account, and count codes yourself.
 */
export async function sendMessage(ctx: Context, message: Message): Promise<void> {
  if (!(await findReadyChannels(ctx))[message.channel]) throw errors['message.channel-unavailable']()
  if (!(await enqueueMessage(ctx, message))) throw errors['message.too-many']()
}

/** @returns false when this address has had as many as it may. */
async function enqueueMessage(ctx: Context, message: Message): Promise<boolean> {
  const { channel, template, userId, language, params = {} } = message
  const now = ctx.now()
  const to = channel === 'mail' ? message.to.trim() : (toE164(message.to) ?? message.to)
  const targetHash = ctx.secrets.mac(`message to ${channel} ${to.toLowerCase()}`)
  await lockTarget(ctx.db, targetHash)
  const [limits, had] = [await loadMessageLimits(ctx), await countMessagesToTarget(ctx.db, targetHash, now)]
  if (had.ofHour >= limits.mostPerTargetAndHour || had.ofDay >= limits.mostPerTargetAndDay) return false
  const minutes = templateKind(template) === 'code' ? CODE_MINUTES : NOTICE_MINUTES
  await insertMessage(ctx.db, {
    id: v7(),
    userId,
    channel,
    template,
    language,
    maskedTo: channel === 'mail' ? maskMailbox(to) : maskPhone(to),
    targetHash,
    sealed: ctx.secrets.seal(JSON.stringify({ to, params, at: now })),
    expiresAt: message.expiresAt ?? new Date(now.getTime() + minutes * 60_000),
    now,
  })
  return true
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
 * Tells a person at every bound phone and mailbox what has happened to their account, in the caller's transaction. What the
 * person did is never refused because a notice can't be sent: one too many is left out, and what has no gateway fails later.
 */
export async function notifyPerson(
  ctx: Context,
  { userId, template, params, except, alsoTo = [] }: Notice,
): Promise<void> {
  const person = await findRecipient(ctx.db, userId)
  if (!person) return
  const bound = [
    { channel: 'mail' as const, to: person.mailbox },
    { channel: 'sms' as const, to: person.phone },
  ]
  const canText = await canTextNotices(ctx)
  const targets = [...bound.filter(({ channel }) => channel !== except), ...alsoTo].filter(
    ({ channel }) => channel === 'mail' || canText,
  )
  for (const { channel, to } of targets) {
    if (!to) continue
    const own = { name: person.name, account: person.account, ...params }
    await enqueueMessage(ctx, { template, channel, to, userId, language: ctx.client.language, params: own })
  }
}
