import { v7 } from 'uuid'
import type { Language } from '#shared/contract/endpoint.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { toE164 } from '#shared/rules/phone.ts'
import type { Context } from '../../platform/platform.ts'
import { canTextNotices, findConfiguredChannels, hourlyLimit, loadMessageLimits } from './gateways.service.ts'
import { type Channel, countOfLastHour, insertMessages, listFullTargets, listRecipients } from './messages.store.ts'
import type { Params } from './templates.service.ts'
import type { TemplateName } from './wording.rules.ts'

export type MassNotice = {
  userId: string
  template: TemplateName & `notice.${string}`
  params: Params
  expiresAt: Date
}

type Delivery = {
  language: Language
  /** They wait until then: nobody is woken at night. */
  notBefore: Date
}

type Draft = MassNotice & { channel: Channel; to: string; targetHash: Buffer }

/** What a mass of notices may take of an hour, so that codes still leave. */
const SHARE_OF_HOUR = 0.5

/**
 * Tells many people at every bound phone and mailbox that this installation can reach, in a few statements of the caller's transaction.
 * An address that has had its share is left out. @returns how many messages went to each; who is missing is left for another time,
 * because half of what a channel takes in an hour is used up.
 */
export async function notifyPeople(
  ctx: Context,
  notices: readonly MassNotice[],
  { language, notBefore }: Delivery,
): Promise<Map<string, number>> {
  const sent = new Map<string, number>()
  if (notices.length === 0) return sent
  const now = ctx.now()
  const [drafts, room] = [await draftNotices(ctx, notices), await findRoom(ctx)]
  const limits = await loadMessageLimits(ctx)
  const hashes = [...drafts.values()].flat().map(({ targetHash }) => targetHash)
  const share = { ofHour: limits.mostPerTargetAndHour, ofDay: limits.mostPerTargetAndDay, now }
  const full = await listFullTargets(ctx.db, hashes, share)
  const leaving: Draft[] = []
  for (const { userId } of notices) {
    const wanted = (drafts.get(userId) ?? []).filter(({ targetHash }) => !full.has(targetHash.toString('hex')))
    if (wanted.some(({ channel }) => room[channel] < 1)) continue
    for (const { channel } of wanted) room[channel] -= 1
    leaving.push(...wanted)
    sent.set(userId, wanted.length)
  }
  await insertMessages(
    ctx.db,
    leaving.map((draft) => toMessage(ctx, draft, language)),
    { notBefore, now },
  )
  return sent
}

async function draftNotices(ctx: Context, notices: readonly MassNotice[]): Promise<Map<string, Draft[]>> {
  const { mail, sms } = await findConfiguredChannels(ctx)
  const canText = sms && (await canTextNotices(ctx))
  const ids = notices.map(({ userId }) => userId)
  const people = new Map((await listRecipients(ctx.db, ids)).map((person) => [person.id, person]))
  const draft = (notice: MassNotice, channel: Channel, to: string): Draft => {
    const targetHash = ctx.secrets.mac(`message to ${channel} ${to.toLowerCase()}`)
    return { ...notice, channel, to, targetHash }
  }
  return new Map(
    notices.map((notice) => {
      const person = people.get(notice.userId)
      if (!person) return [notice.userId, []]
      const { name, account, mailbox, phone } = person
      const own = { ...notice, params: { name, account, ...notice.params } }
      return [
        notice.userId,
        [
          ...(mail && mailbox ? [draft(own, 'mail', mailbox.trim())] : []),
          ...(canText && phone ? [draft(own, 'sms', toE164(phone) ?? phone)] : []),
        ],
      ]
    }),
  )
}

async function findRoom(ctx: Context): Promise<Record<Channel, number>> {
  const [limits, now] = [await loadMessageLimits(ctx), ctx.now()]
  const roomOf = async (channel: Channel) =>
    Math.floor(hourlyLimit(limits, channel) * SHARE_OF_HOUR) - (await countOfLastHour(ctx.db, channel, now))
  return { mail: await roomOf('mail'), sms: await roomOf('sms') }
}

function toMessage(
  ctx: Context,
  { userId, template, params, expiresAt, channel, to, targetHash }: Draft,
  language: Language,
) {
  const maskedTo = channel === 'mail' ? maskMailbox(to) : maskPhone(to)
  const sealed = ctx.secrets.seal(JSON.stringify({ to, params, at: ctx.now() }))
  return { id: v7(), userId, channel, template, language, maskedTo, targetHash, sealed, expiresAt }
}
