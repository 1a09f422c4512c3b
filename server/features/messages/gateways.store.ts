import type { Db } from '../../platform/db.ts'
import type { Channel } from './messages.store.ts'

export async function resetGateway(db: Db, channel: Channel): Promise<void> {
  await db`delete from message_gateways where channel = ${channel}`
}

type GatewayFailure = {
  channel: Channel
  reason: string /** So many in a row, and it rests. */
  most: number
  restUntil: Date
}

export async function recordGatewayFailure(
  db: Db,
  { channel, reason, most, restUntil }: GatewayFailure,
): Promise<void> {
  await db`
    insert into message_gateways as g (channel, failures, down_until, last_reason)
    values (${channel}, 1, ${most <= 1 ? restUntil : null}, ${reason})
    on conflict (channel) do update set failures = g.failures + 1, last_reason = excluded.last_reason,
      down_until = case when g.failures + 1 >= ${most} then ${restUntil}::timestamptz else g.down_until end`
}

export async function findChannelsDown(db: Db, now: Date): Promise<Set<Channel>> {
  const rows = await db<{ channel: Channel }[]>`select channel from message_gateways where down_until > ${now}`
  return new Set(rows.map(({ channel }) => channel))
}

export async function findSettingsVersions(db: Db): Promise<Record<Channel, number>> {
  const rows = await db<{ name: Channel; version: number }[]>`
    select name, version from settings where name in ('mail', 'sms')`
  return { mail: 0, sms: 0, ...Object.fromEntries(rows.map(({ name, version }) => [name, version])) }
}

/** The version of a channel's settings, which nobody else changes until the transaction ends; 0 when there are none. */
export async function lockSettingsVersion(db: Db, channel: Channel): Promise<number> {
  await db`select pg_advisory_xact_lock(hashtextextended('settings ' || ${channel}::text, 0))`
  const [row] = await db<{ version: number }[]>`select version from settings where name = ${channel}`
  return row?.version ?? 0
}
