import type { Language } from '#shared/contract/endpoint.ts'
import { MESSAGE_CHANNELS, type MessageChannel } from '#shared/contract/message-routes.ts'
import type { TemplateName } from '#shared/rules/message-templates.ts'
import type { Db } from '../../platform/db.ts'
import { isTrustedContact } from '../contact-cooldown/index.ts'

/** Channels that a person can choose; a route may use further ones. */
export type Channel = 'mail' | 'sms'

export const QUEUE = 'gatehouse_messages'

export type NewMessage = {
  id: string
  userId: string | null
  channel: MessageChannel
  template: TemplateName
  language: Language
  maskedTo: string
  targetHash: Buffer
  sealed: string
  expiresAt: Date
  /** The first message of the route that it continues. */
  routeId: string | null
  /** Null: no other channel follows. */
  fallOverAt: Date | null
  notBefore: Date
  now: Date
}

export async function insertMessage(db: Db, message: NewMessage): Promise<void> {
  const { id, userId, channel, template, language, maskedTo, targetHash, sealed, expiresAt, now } = message
  await db`
    with added as (
      insert into messages (id, user_id, channel, template, language, masked_to, target_hash, sealed, next_attempt_at,
        expires_at, created_at, route_id, fall_over_at)
      values (${id}, ${userId}, ${channel}, ${template}, ${language}, ${maskedTo}, ${targetHash}, ${sealed},
        ${message.notBefore}, ${expiresAt}, ${now}, ${message.routeId}, ${message.fallOverAt})
      returning 1)
    select pg_notify(${QUEUE}, '') from added`
}

/** Serialises counting and writing messages for an address, until the transaction ends. */
export async function lockTarget(db: Db, targetHash: Buffer): Promise<void> {
  await db`select pg_advisory_xact_lock(('x' || ${targetHash.toString('hex').slice(0, 16)})::bit(64)::bigint)`
}

export async function countMessagesToTarget(
  db: Db,
  targetHash: Buffer,
  now: Date,
): Promise<{ ofHour: number; ofDay: number }> {
  const [row] = await db<{ ofHour: number; ofDay: number }[]>`
    select count(*) filter (where created_at > ${now}::timestamptz - interval '1 hour')::int as of_hour,
      count(*)::int as of_day
    from messages where target_hash = ${targetHash} and created_at > ${now}::timestamptz - interval '1 day'`
  return row ?? { ofHour: 0, ofDay: 0 }
}

/** Whether a channel has had `limit` messages within the last hour. */
export const isHourlyLimitReached = async (db: Db, channel: Channel, limit: number, now: Date): Promise<boolean> =>
  (
    await db`
      select 1 from messages where channel = ${channel} and created_at > ${now}::timestamptz - interval '1 hour'
      order by created_at desc offset ${limit - 1} limit 1`
  ).length > 0

/** How many messages a channel has had within the last hour. */
export async function countOfLastHour(db: Db, channel: Channel, now: Date): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from messages
    where channel = ${channel} and created_at > ${now}::timestamptz - interval '1 hour'`
  return row?.count ?? 0
}

/** Those of these addresses that have reached their limit, as hex. */
export async function listFullTargets(
  db: Db,
  targetHashes: readonly Buffer[],
  { ofHour, ofDay, now }: { ofHour: number; ofDay: number; now: Date },
): Promise<Set<string>> {
  const rows = await db<{ hash: string }[]>`
    select encode(target_hash, 'hex') as hash from messages
    where target_hash = any(array(select decode(h, 'hex') from unnest(${targetHashes.map((one) => one.toString('hex'))}::text[]) h))
      and created_at > ${now}::timestamptz - interval '1 day'
    group by target_hash
    having count(*) >= ${ofDay} or count(*) filter (where created_at > ${now}::timestamptz - interval '1 hour') >= ${ofHour}`
  return new Set(rows.map(({ hash }) => hash))
}

/** Many messages in one statement. */
export async function insertMessages(db: Db, messages: readonly NewMessage[]): Promise<void> {
  const rows = messages.map(({ targetHash, ...row }) => ({ ...row, targetHash: targetHash.toString('hex') }))
  await db`
    with added as (
      insert into messages (id, user_id, channel, template, language, masked_to, target_hash, sealed, next_attempt_at,
        expires_at, created_at, route_id, fall_over_at)
      select id, "userId", channel, template, language, "maskedTo", decode("targetHash", 'hex'), sealed, "notBefore", "expiresAt",
        now, "routeId", "fallOverAt"
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, "userId" uuid, channel text, template text,
        language text, "maskedTo" text, "targetHash" text, sealed text, "expiresAt" timestamptz, "notBefore" timestamptz,
        now timestamptz, "routeId" uuid, "fallOverAt" timestamptz)
      returning 1)
    select pg_notify(${QUEUE}, '') from (select from added limit 1) as written`
}

export type Recipient = {
  id: string
  name: string
  account: string
  phone: string | null
  mailbox: string | null
  /** May a code sent there open the account? */
  isPhoneTrusted: boolean
  isMailboxTrusted: boolean
  /** The user id in WeCom. */
  wecom: string | null
  /** The UnionID in DingTalk. */
  dingtalk: string | null
}

/** Where people can be reached; for a super user, accounts at vendors count only if they linked them themselves. */
export function listRecipients(db: Db, userIds: readonly string[], now: Date) {
  const linked = (key: string) => db`
    (select a.subject from third_party_accounts a join third_party_providers p on p.id = a.provider_id
      where a.user_id = u.id and p.key = ${key} and p.connector = ${key} and p.enabled and a.realm = p.settings ->> 'corpId')`
  return db<Recipient[]>`
    select u.id, u.name, u.account, u.phone, u.mailbox, ${isTrustedContact(db, 'phone', now)} as is_phone_trusted,
      ${isTrustedContact(db, 'mailbox', now)} as is_mailbox_trusted,
      coalesce(${linked('qywx')}, (select u.account from third_party_providers p
        where p.key = 'qywx' and p.connector = 'qywx' and p.enabled and 'account' = any(p.match_by)
          and not u.is_super_user
          -- This user id may be somebody else's, and whoever unlinked WeCom wants nothing there.
          and not exists (select 1 from third_party_accounts o where o.provider_id = p.id
            and o.realm = p.settings ->> 'corpId' and o.subject = lower(u.account))
          and not exists (select 1 from third_party_unlinked n where n.provider_id = p.id and n.user_id = u.id))) as wecom,
      ${linked('dingding')} as dingtalk
    from users u where u.id = any(${userIds as string[]}::uuid[]) and u.deleted_at is null order by u.id`
}

export type ClaimedMessage = {
  id: string
  userId: string | null
  channel: MessageChannel
  template: TemplateName
  language: Language
  sealed: string
  attempts: number
  expiresAt: Date
  routeId: string | null
  fallOverAt: Date | null
}

type ClaimOptions = { channel: MessageChannel; now: Date; leaseUntil: Date; most: number }

/**
 * Claims messages that are due, so that no other node takes them until `leaseUntil`; by then they are settled, or their node has died and
 * another continues. What expires first (a code) goes first.
 */
export const claimDueMessages = (db: Db, { channel, now, leaseUntil, most }: ClaimOptions) => db<ClaimedMessage[]>`
  with due as materialized (
    select id from messages
    where channel = ${channel} and state = 'pending' and next_attempt_at <= ${now} and expires_at > ${now}
      and not exists (select 1 from message_gateways where channel = ${channel} and down_until > ${now})
    order by expires_at limit ${most} for update skip locked)
  update messages m set attempts = attempts + 1, next_attempt_at = ${leaseUntil}
  from due where m.id = due.id
  returning m.id, user_id, m.channel, template, language, sealed, attempts, expires_at,
    route_id, fall_over_at`

/** Messages whose channel has had its time and that are not being sent, locked for the transaction. */
export const lockFallingOver = (db: Db, { now, most }: { now: Date; most: number }) => db<
  (ClaimedMessage & { reason: string | null })[]
>`
  select id, user_id, channel, template, language, sealed, attempts, expires_at,
    route_id, fall_over_at, reason
  from messages
  where state = 'pending' and fall_over_at <= ${now} and next_attempt_at <= ${now} and expires_at > ${now}
  order by fall_over_at limit ${most} for update skip locked`

type Quota = { channel: MessageChannel; day: string; most: number | null }

/** Takes one from a channel's daily quota. @returns false if it is used up */
export const takeFromQuota = async (db: Db, { channel, day, most }: Quota): Promise<boolean> =>
  (
    await db`
      insert into message_usage as u (channel, day, used) values (${channel}, ${day}::date, 1)
      on conflict (channel, day) do update set used = u.used + 1 where u.used < ${most ?? 2_000_000_000}`
  ).count > 0

export async function listUsage(db: Db, day: string): Promise<Map<MessageChannel, number>> {
  const rows = await db<{ channel: MessageChannel; used: number }[]>`
    select channel, used from message_usage where day = ${day}::date`
  return new Map(rows.map(({ channel, used }) => [channel, used]))
}
export type MessageResult = {
  state: 'sent' | 'failed' | 'pending'
  gateway: string | null
  gatewayId: string | null
  reason: string | null
  error: string | null
  errorCode: string | null
  nextAttemptAt: Date | null
  now: Date
}

/** @returns false if it is settled already */
export async function finishMessage(db: Db, id: string, result: MessageResult): Promise<boolean> {
  const { state, gateway, gatewayId, reason, error, errorCode, nextAttemptAt, now } = result
  const isOver = state !== 'pending'
  const settled = await db`
    update messages set state = ${state}, gateway = coalesce(${gateway}, gateway), gateway_id = ${gatewayId}, reason = ${reason},
      last_error = case when ${state} <> 'sent' then coalesce(${error}, last_error) end,
      error_code = case when ${state} = 'sent' then null when ${error}::text is null then error_code else ${errorCode} end,
      next_attempt_at = coalesce(${nextAttemptAt}::timestamptz, next_attempt_at),
      finished_at = ${isOver ? now : null}, sealed = case when ${isOver} then null else sealed end
    where id = ${id} and state = 'pending'`
  return settled.count > 0
}

/** Gives up expired messages and deletes their contents. @returns how many per channel */
export const expireMessages = (db: Db, now: Date) => db<{ channel: MessageChannel }[]>`
  update messages set state = 'expired', sealed = null, finished_at = ${now}, reason = coalesce(reason, 'expired')
  where state = 'pending' and expires_at <= ${now} and channel = any(${[...MESSAGE_CHANNELS]})
  returning channel`

export async function countWaiting(db: Db): Promise<Record<MessageChannel, number>> {
  const rows = await db<{ channel: MessageChannel; count: number }[]>`
    select channel, count(*)::int as count from messages where state = 'pending' and channel = any(${[...MESSAGE_CHANNELS]})
    group by channel`
  return {
    mail: 0,
    sms: 0,
    wecom: 0,
    dingtalk: 0,
    http: 0,
    ...Object.fromEntries(rows.map(({ channel, count }) => [channel, count])),
  }
}

export async function deleteMessages(db: Db, before: Date): Promise<void> {
  await db`delete from messages where created_at < ${before}`
  await db`delete from message_usage where day < ${before}::date`
}
