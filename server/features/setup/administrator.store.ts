import type { Db } from '../../platform/db.ts'

export async function userIdOf(db: Db, account: string): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`select id from users where account = ${account} and deleted_at is null`
  return row?.id ?? null
}

type Restored = { id: string; hash: string; now: Date }

/** Lifts every fact that keeps this person out, and sets the password. */
export async function restoreSuperUser(db: Db, { id, hash, now }: Restored): Promise<void> {
  await db`
    update users set is_super_user = true, enabled = true, activated = true, must_change_password = true,
      locked_at = null, locked_until = null, lock_reason = null, locked_by = null,
      frozen_from = null, frozen_until = null, freeze_reason = null, frozen_by = null, dormant_since = null,
      valid_from = null, valid_until = null,
      version = version + 1, updated_at = ${now}
    where id = ${id}`
  await db`
    insert into passwords (user_id, hash, changed_at) values (${id}, ${hash}, ${now})
    on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at, changed_by = null`
  await db`delete from attempt_counters where user_id = ${id}`
}
