import { z } from 'zod'
import { HttpChannel, MailGateway, MessageLimits, SmsGateway } from '#shared/contract/message-gateways.ts'
import { type MessageChannel, MessageRoutes } from '#shared/contract/message-routes.ts'
import type { SecretBox } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db.ts'
import type { Platform } from '../../platform/platform.ts'
import { readSettings } from '../../platform/settings.ts'
import { listProviders, type Provider } from '../third-party-providers/index.ts'
import { findChannelsDown } from './gateways.store.ts'
import { type Channel, isHourlyLimitReached } from './messages.store.ts'

/** A gateway as stored: the form as filled in, encrypted as a whole, because part of it is a secret. */
const Stored = z.object({ sealed: z.string().nullable().default(null) })

export const sealGateway = (secrets: SecretBox, gateway: MailGateway | SmsGateway | HttpChannel | null) => ({
  sealed: gateway && secrets.seal(JSON.stringify(gateway)),
})

export function openGateway(secrets: SecretBox, stored: unknown): unknown {
  const { sealed } = Stored.parse(stored)
  return sealed === null ? null : JSON.parse(secrets.open(sealed))
}

/** How a channel's messages are sent; null: not configured. */
export const findMailGateway = async (platform: Platform): Promise<MailGateway | null> =>
  MailGateway.nullable().parse(openGateway(platform.secrets, await readSettings(platform, 'mail', Stored)))

export const findSmsGateway = async (platform: Platform): Promise<SmsGateway | null> =>
  SmsGateway.nullable().parse(openGateway(platform.secrets, await readSettings(platform, 'sms', Stored)))

/** The institution's own message platform. */
export const findHttpChannel = async (platform: Platform): Promise<HttpChannel | null> =>
  HttpChannel.nullable().parse(openGateway(platform.secrets, await readSettings(platform, 'messageGateway', Stored)))

/** Through which channels a link can be sent: a provider with its own templates has none that accepts one. */
export async function findLinkChannels(platform: Platform): Promise<ChannelReadiness> {
  const { mail, sms } = await findConfiguredChannels(platform)
  const gateway = await findSmsGateway(platform)
  return { mail, sms: sms && (gateway === null || gateway.provider === 'gateway') }
}

export const loadMessageLimits = (platform: Platform): Promise<MessageLimits> =>
  readSettings(platform, 'messages', MessageLimits)

/** The institution's time zone. */
export const loadInstitutionZone = async (platform: Platform): Promise<string> =>
  (await loadMessageLimits(platform)).timeZone

export const hourlyLimit = (limits: MessageLimits, channel: Channel): number =>
  channel === 'mail' ? limits.mostMailAnHour : limits.mostSmsAnHour

const isConfigured = async (platform: Platform, channel: Channel): Promise<boolean> =>
  // A demo keeps what it can't send, for its outbox page.
  platform.config.demo ||
  (channel === 'mail' ? await findMailGateway(platform) : await findSmsGateway(platform)) !== null

const VENDORS = { wecom: 'qywx', dingtalk: 'dingding' } as const

/** The vendor behind a channel, as long as people can log in with it; null: none is set up. */
export async function findVendorOf(platform: Platform, channel: keyof typeof VENDORS): Promise<Provider | null> {
  const key = VENDORS[channel]
  const matches = (one: Provider) => one.key === key && one.connector === key && one.enabled
  return (await listProviders(platform)).find(matches) ?? null
}

export const loadRoutes = (platform: Platform): Promise<MessageRoutes> =>
  readSettings(platform, 'messageRoutes', MessageRoutes)

/** Is this channel configured? */
export async function isChannelConfigured(platform: Platform, channel: MessageChannel): Promise<boolean> {
  if (channel === 'mail' || channel === 'sms') return await isConfigured(platform, channel)
  if (channel === 'http') return (await findHttpChannel(platform)) !== null
  if (channel === 'dingtalk' && (await loadRoutes(platform)).dingtalkAgentId === '') return false
  return (await findVendorOf(platform, channel)) !== null
}

/**
 * Which channels this institution has configured. Unlike `findReadyChannels` it can't be changed from outside, so a rule that requires a
 * code may depend on it.
 */
export const findConfiguredChannels = async (platform: Platform): Promise<ChannelReadiness> => ({
  mail: await isConfigured(platform, 'mail'),
  sms: await isConfigured(platform, 'sms'),
})

export type ChannelReadiness = Record<Channel, boolean>

/** Contacts that nobody can bind, and so nobody is required to have: no channel is configured that could bring their codes. */
export async function findUnbindableContacts(platform: Platform): Promise<ReadonlySet<string>> {
  const { mail, sms } = await findConfiguredChannels(platform)
  return new Set([...(mail ? [] : ['mailbox']), ...(sms ? [] : ['phone'])])
}

/**
 * Which channels accept messages now: configured, not known to be down, and within the hourly limit. Call it before looking up the
 * recipient, so that the answer is the same for everybody.
 */
export async function findReadyChannels(platform: Platform & { db?: Db }): Promise<ChannelReadiness> {
  const now = platform.now()
  // Inside a transaction its own connection: see `readSettings`.
  const db = platform.db ?? platform.sql
  const [limits, down] = await Promise.all([loadMessageLimits(platform), findChannelsDown(db, now)])
  const isReady = async (channel: Channel) =>
    !down.has(channel) &&
    (await isConfigured(platform, channel)) &&
    !(await isHourlyLimitReached(db, channel, hourlyLimit(limits, channel), now))
  const [mail, sms] = await Promise.all([isReady('mail'), isReady('sms')])
  return { mail, sms }
}
