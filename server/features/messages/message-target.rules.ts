import { MESSAGE_CHANNELS, type MessageChannel } from '#shared/contract/message-routes.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { toE164 } from '#shared/rules/phone.ts'
import type { SecretBox } from '../../platform/crypto.ts'

/** An address as it is counted and sent to: a number in E.164 if possible. */
export function canonicalTo(channel: MessageChannel, to: string): string {
  if (channel === 'sms') return toE164(to) ?? to
  return to.trim()
}

/** As shown in a record. */
export function maskTarget(channel: MessageChannel, to: string): string {
  if (channel === 'mail') return maskMailbox(to)
  if (channel === 'sms') return maskPhone(to)
  return `${[...to][0] ?? ''}***`
}

/** The key by which messages to one address are counted, and found by whoever knows the address. */
export const targetHashOf = (secrets: SecretBox, channel: MessageChannel, to: string): Buffer =>
  secrets.mac(`message to ${channel} ${to.toLowerCase()}`)

/** The keys of messages to whatever somebody typed as an address, a number or a user id, on any channel. */
export const receiverHashes = ({ secrets }: { secrets: SecretBox }, typed: string): Buffer[] =>
  MESSAGE_CHANNELS.map((channel) => targetHashOf(secrets, channel, canonicalTo(channel, typed)))
