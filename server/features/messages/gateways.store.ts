import type { MessageChannel } from '#shared/contract/message-routes.ts'
import type { Db } from '../../platform/db.ts'

export async function resetGateway(db: Db, channel: MessageChannel): Promise<void> {
  await db`delete from message_gateways where channel = ${channel}`
}

type GatewayFailure = {
  channel: MessageChannel
  reason: string
  /** After this many in a row, the gateway is suspended. */
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

export async function findChannelsDown(db: Db, now: Date): Promise<Set<MessageChannel>> {
  const rows = await db<{ channel: MessageChannel }[]>`select channel from message_gateways where down_until > ${now}`
  return new Set(rows.map(({ channel }) => channel))
}

type SettingsState = { version: number; isSetByFile: boolean }
const NEVER_SAVED: SettingsState = { version: 0, isSetByFile: false }

/** Settings documents that are encrypted as a whole. */
export type GatewayDocument = 'mail' | 'sms' | 'messageGateway'

export async function findSettingsStates(db: Db): Promise<Record<GatewayDocument, SettingsState>> {
  const rows = await db<({ name: GatewayDocument } & SettingsState)[]>`
    select name, version, file_keys <> '{}' as is_set_by_file from settings where name in ('mail', 'sms', 'messageGateway')`
  const found = rows.map(({ name, ...state }) => [name, state] as const)
  return { mail: NEVER_SAVED, sms: NEVER_SAVED, messageGateway: NEVER_SAVED, ...Object.fromEntries(found) }
}

/** The version of a gateway's settings, locked until the transaction ends; 0 if there are none. */
export async function lockSettingsVersion(db: Db, document: GatewayDocument): Promise<number> {
  await db`select pg_advisory_xact_lock(hashtextextended('settings ' || ${document}::text, 0))`
  const [row] = await db<{ version: number }[]>`select version from settings where name = ${document}`
  return row?.version ?? 0
}
