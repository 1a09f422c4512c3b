import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'
import type { TemplateName } from './wording.rules.ts'

export type Channel = 'mail' | 'sms'

export const QUEUE = 'gatehouse_messages'

type NewMessage = {
  id: string
  userId: string | null
  channel: Channel
  template: TemplateName
  language: Language
  maskedTo: string
  targetHash: Buffer
  sealed: string
  expiresAt: Date
  now: Date
}

export async function insertMessage(db: Db, message: NewMessage): Promise<void> {
  const { id, userId, channel, template, language, maskedTo, targetHash, sealed, expiresAt, now } = message
  await db`
    with added as (
      insert into messages (id, user_id, channel, template, language, masked_to, target_hash, sealed, next_attempt_at,
        expires_at, created_at)
      values (${id}, ${userId}, ${channel}, ${template}, ${language}, ${maskedTo}, ${targetHash}, ${sealed}, ${now},
        ${expiresAt}, ${now})
      returning 1)
    select pg_notify(${QUEUE}, '') from added`
}

/** Lets one message at a time be counted and written for an address, until the transaction ends. */
export async function lockTarget(db: Db, targetHash: Buffer): Promise<void> {
  await db`select pg_advisory_xact_lock(('x' || ${targetHash.toString('hex').slice(0, 16)})::bit(64)::bigint)`
}

export async function countMessagesToTarget(
  db: Db,
  targetHash: Buffer,
  now: Date,
): Promise<{ ofHour: number; ofDay: number }> {
  const [row] = await db<{ ofHour: number; ofDay: number }[]>`
    select count(*) filter (where created_at > ${now}::timestamptz - interval '1 hour')::int as "ofHour",
      count(*)::int as "ofDay"
    from messages where target_hash = ${targetHash} and created_at > ${now}::timestamptz - interval '1 day'`
  return row ?? { ofHour: 0, ofDay: 0 }
}

/** Whether a channel has had `most` messages within the last hour. */
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

/** Those of these addresses that have had their share, as hex. */
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
export async function insertMessages(
  db: Db,
  messages: readonly Omit<NewMessage, 'now'>[],
  { notBefore, now }: { notBefore: Date; now: Date },
): Promise<void> {
  const rows = messages.map(({ targetHash, ...row }) => ({ ...row, targetHash: targetHash.toString('hex') }))
  await db`
    with added as (
      insert into messages (id, user_id, channel, template, language, masked_to, target_hash, sealed, next_attempt_at,
        expires_at, created_at)
      select id, "userId", channel, template, language, "maskedTo", decode("targetHash", 'hex'), sealed, ${notBefore}, "expiresAt",
        ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, "userId" uuid, channel text, template text,
        language text, "maskedTo" text, "targetHash" text, sealed text, "expiresAt" timestamptz)
      returning 1)
    select pg_notify(${QUEUE}, '') from (select from added limit 1) as written`
}

export type Recipient = { name: string; account: string; phone: string | null; mailbox: string | null }

export const listRecipients = (db: Db, userIds: readonly string[]) => db<(Recipient & { id: string })[]>`
  select id, name, account, phone, mailbox from users
  where id = any(${userIds as string[]}::uuid[]) and deleted_at is null order by id`

export async function findRecipient(db: Db, userId: string): Promise<Recipient | null> {
  const [row] = await db<Recipient[]>`
    select name, account, phone, mailbox from users where id = ${userId} and deleted_at is null`
  return row ?? null
}

export type ClaimedMessage = {
  id: string
  channel: Channel
  template: TemplateName
  language: Language
  sealed: string
  attempts: number
  expiresAt: Date
}

type ClaimOptions = { channel: Channel; now: Date; leaseUntil: Date; most: number }

/**
 * Takes messages that are due, so that no other node takes them until `leaseUntil`; by then they are settled, or their node has
 * died and somebody else goes on. What expires first (a code) goes first.
 */
export const claimDueMessages = (db: Db, { channel, now, leaseUntil, most }: ClaimOptions) => db<ClaimedMessage[]>`
  with due as materialized (
    select id from messages
    where channel = ${channel} and state = 'pending' and next_attempt_at <= ${now} and expires_at > ${now}
      and not exists (select 1 from message_gateways where channel = ${channel} and down_until > ${now})
    order by expires_at limit ${most} for update skip locked)
  update messages m set attempts = attempts + 1, next_attempt_at = ${leaseUntil}
  from due where m.id = due.id
  returning m.id, m.channel, template, language, sealed, attempts, expires_at as "expiresAt"`

type MessageResult = {
  state: 'sent' | 'failed' | 'pending'
  gateway: string | null
  gatewayId: string | null
  reason: string | null
  error: string | null
  nextAttemptAt: Date | null
  now: Date
}

export async function finishMessage(db: Db, id: string, result: MessageResult): Promise<void> {
  const { state, gateway, gatewayId, reason, error, nextAttemptAt, now } = result
  const isOver = state !== 'pending'
  await db`
    update messages set state = ${state}, gateway = ${gateway}, gateway_id = ${gatewayId}, reason = ${reason},
      last_error = ${error}, next_attempt_at = coalesce(${nextAttemptAt}::timestamptz, next_attempt_at),
      finished_at = ${isOver ? now : null}, sealed = case when ${isOver} then null else sealed end
    where id = ${id} and state = 'pending'`
}

/** Gives up what is no longer wanted; its contents go. @returns how many of each channel. */
export const expireMessages = (db: Db, now: Date) => db<{ channel: Channel }[]>`
  update messages set state = 'expired', sealed = null, finished_at = ${now}, reason = coalesce(reason, 'expired')
  where state = 'pending' and expires_at <= ${now} and channel in ('mail', 'sms')
  returning channel`

export async function countWaiting(db: Db): Promise<Record<Channel, number>> {
  const rows = await db<{ channel: Channel; count: number }[]>`
    select channel, count(*)::int as count from messages where state = 'pending' and channel in ('mail', 'sms')
    group by channel`
  return { mail: 0, sms: 0, ...Object.fromEntries(rows.map(({ channel, count }) => [channel, count])) }
}

export async function deleteMessages(db: Db, before: Date): Promise<void> {
  await db`delete from messages where created_at < ${before}`
}
