import type { Db } from '../../platform/db.ts'

export async function findUserId(db: Db, account: string): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`select id from users where account = ${account} and deleted_at is null`
  return row?.id ?? null
}
