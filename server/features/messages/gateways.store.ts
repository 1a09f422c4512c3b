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

type SettingsState = { version: number; isSetByFile: boolean }
const NEVER_SAVED: SettingsState = { version: 0, isSetByFile: false }

export async function findSettingsStates(db: Db): Promise<Record<Channel, SettingsState>> {
  const rows = await db<({ name: Channel } & SettingsState)[]>`
    select name, version, file_keys <> '{}' as "isSetByFile" from settings where name in ('mail', 'sms')`
  const found = rows.map(({ name, ...state }) => [name, state] as const)
  return { mail: NEVER_SAVED, sms: NEVER_SAVED, ...Object.fromEntries(found) }
}

/** The version of a channel's settings, which nobody else changes until the transaction ends; 0 when there are none. */
export async function lockSettingsVersion(db: Db, channel: Channel): Promise<number> {
  await db`select pg_advisory_xact_lock(hashtextextended('settings ' || ${channel}::text, 0))`
  const [row] = await db<{ version: number }[]>`select version from settings where name = ${channel}`
  return row?.version ?? 0
}
