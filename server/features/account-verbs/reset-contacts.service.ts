import type { resetMethods } from '#shared/contract/user-verbs.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Output } from '../../platform/http/mount.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { mayManage } from '../access/index.ts'
import { COOLDOWN_DAYS } from '../contact-cooldown/index.ts'
import { findLinkChannels } from '../messages/index.ts'
import { userErrors as errors } from '../user-accounts/index.ts'
import { type ContactChange, type Contacts, findContacts, listContactChanges } from './contacts.store.ts'

const CHANNELS = ['mail', 'sms'] as const
export type Channel = (typeof CHANNELS)[number]

/** Whoever set a contact could send the link to themselves, and it would look as if the person had received it. */
const OWN_CHANGE_HOURS = 24

export const contactAddress = (
  { mailbox, phone }: Pick<Contacts, 'mailbox' | 'phone'>,
  channel: Channel,
): string | null => (channel === 'mail' ? mailbox : phone)

const canOpenAccount = ({ mailOpens, smsOpens }: Contacts, channel: Channel): boolean =>
  channel === 'mail' ? mailOpens : smsOpens

export const maskContact = (channel: Channel, address: string): string =>
  channel === 'mail' ? maskMailbox(address) : maskPhone(address)

/** Where a one-time link can be sent, and why not elsewhere. @throws Refusal `user.not-found`. */
export async function listResetContacts(ctx: Context, id: string): Promise<Output<typeof resetMethods>> {
  const person = await findContacts(ctx.db, id, mayManage(ctx, 'reset'), ctx.now())
  if (!person) throw errors['user.not-found']()
  const channels = await findLinkChannels(ctx)
  const changes = await recentContactChanges(ctx, id)
  const records = CHANNELS.flatMap((channel) => {
    const address = contactAddress(person, channel)
    if (!address || !channels[channel]) return []
    return [
      {
        channel,
        to: maskContact(channel, address),
        isSettled: canOpenAccount(person, channel) && !isRecentlyChanged(ctx, changes, channel),
      },
    ]
  })
  return { records }
}

/** @throws Refusal `user.no-such-contact`, `user.contact-changed`. */
export async function getResetAddress(ctx: Context, id: string, channel: Channel): Promise<string> {
  const person = await findContacts(ctx.db, id, mayManage(ctx, 'reset'), ctx.now())
  const address = person && contactAddress(person, channel)
  if (!address || !(await findLinkChannels(ctx))[channel]) throw errors['user.no-such-contact']()
  if (!canOpenAccount(person, channel) || isRecentlyChanged(ctx, await recentContactChanges(ctx, person.id), channel))
    throw errors['user.contact-changed']()
  return address
}

const hoursAgo = (ctx: Context, hours: number): Date => new Date(ctx.now().getTime() - hours * 3_600_000)

/** An attacker who took over an account would first change its mailbox: a reset must not hand the account back to them. */
const recentContactChanges = (ctx: Context, id: string) =>
  listContactChanges(ctx.db, id, hoursAgo(ctx, COOLDOWN_DAYS * 24))

function isRecentlyChanged(ctx: Context, changes: readonly ContactChange[], channel: Channel): boolean {
  const own = hoursAgo(ctx, OWN_CHANGE_HOURS)
  const { userId } = callerOf(ctx)
  return changes.some((change) => {
    if (change.channel !== channel) return false
    // Setting a contact when the person is created is no change.
    return !change.isCreation || (change.actorId === userId && change.at > own)
  })
}
