import type { Db } from '../../platform/db.ts'

export type TrustedDeviceRow = {
  id: string
  secretHash: Buffer
  browser: string
  device: string
  ip: string
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
}

/** Trusted browsers per person, at most. */
export const MAX_TRUSTED_DEVICES = 20

/** Trusts a browser, or renews the trust; the one unused for longest is dropped if there are too many. */
export async function saveTrustedDevice(
  db: Db,
  userId: string,
  d: Omit<TrustedDeviceRow, 'lastUsedAt'>,
): Promise<void> {
  await db`
    insert into trusted_devices (id, user_id, secret_hash, browser, device, ip, created_at, last_used_at, expires_at)
    values (${d.id}, ${userId}, ${d.secretHash}, ${d.browser}, ${d.device}, ${d.ip}, ${d.createdAt}, ${d.createdAt}, ${d.expiresAt})
    on conflict (user_id, secret_hash) do update set browser = excluded.browser, device = excluded.device, ip = excluded.ip,
      created_at = excluded.created_at, last_used_at = excluded.last_used_at, expires_at = excluded.expires_at`
  await db`
    delete from trusted_devices where id in (
      select id from trusted_devices where user_id = ${userId} order by last_used_at desc, id desc offset ${MAX_TRUSTED_DEVICES})`
}

export async function touchTrustedDevice(db: Db, id: string, at: Date): Promise<void> {
  await db`update trusted_devices set last_used_at = ${at} where id = ${id}`
}

/** Valid ones: not expired, and not from before a change of the password. */
export const listTrustedDevices = (db: Db, userId: string, now: Date) => db<TrustedDeviceRow[]>`
  select t.id, t.secret_hash, t.browser, t.device, host(t.ip) as ip, t.created_at,
    t.last_used_at, t.expires_at
  from trusted_devices t left join passwords p on p.user_id = t.user_id
  where t.user_id = ${userId} and t.expires_at > ${now} and (p.changed_at is null or p.changed_at < t.created_at)
  order by t.last_used_at desc, t.id limit ${MAX_TRUSTED_DEVICES}`

/** @param ids null: all of them */
export async function deleteTrustedDevices(db: Db, userId: string, ids: string[] | null): Promise<number> {
  const result = await db`
    delete from trusted_devices where user_id = ${userId} and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))`
  return result.count
}

/** Deletes every trusted browser of these people. */
export async function forgetTrustedBrowsers(db: Db, userIds: readonly string[]): Promise<void> {
  await db`delete from trusted_devices where user_id = any(${userIds as string[]}::uuid[])`
}

export async function deleteExpiredTrustedDevices(db: Db, now: Date): Promise<void> {
  await db`delete from trusted_devices where expires_at <= ${now}`
}
