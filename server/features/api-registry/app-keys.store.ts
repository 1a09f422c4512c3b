import type { Db } from '../../platform/db.ts'

export type AppKeyRow = {
  id: string
  hint: string
  createdAt: Date
  createdBy: string | null
  validUntil: Date | null
  lastUsedAt: Date | null
}

/** Keys that are valid now, newest first. */
export const listValidKeys = (db: Db, applicationId: string, now: Date) => db<AppKeyRow[]>`
  select k.id, k.hint, k.created_at, u.name as created_by, k.valid_until,
    k.last_used_at
  from application_keys k left join users u on u.id = k.created_by
  where k.application_id = ${applicationId} and (k.valid_until is null or k.valid_until > ${now})
  order by k.created_at desc, k.id desc limit 10`

type NewKey = { id: string; applicationId: string; sealed: string; hint: string; at: Date; by: string }

export async function insertKey(db: Db, key: NewKey): Promise<void> {
  await db`
    insert into application_keys (id, application_id, sealed, hint, created_at, created_by)
    values (${key.id}, ${key.applicationId}, ${key.sealed}, ${key.hint}, ${key.at}, ${key.by})`
}

/** Limits the validity of these keys to `until`. */
export async function expireKeys(db: Db, ids: string[], until: Date): Promise<number> {
  const ended = await db`
    update application_keys set valid_until = least(valid_until, ${until}::timestamptz) where id = any(${ids}::uuid[])`
  return ended.count
}
