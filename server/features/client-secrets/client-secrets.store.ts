import type { Db } from '../../platform/db.ts'

/** Replaces the secret of an OAuth client. @returns whether there is such an application. */
export async function saveSecret(db: Db, appId: string, hash: string, now: Date): Promise<boolean> {
  const saved = await db`
    update applications set client_secret_hash = ${hash}, version = version + 1, updated_at = ${now}
    where app_id = ${appId} and protocol = 'oauth2' and client_id is not null`
  return saved.count > 0
}
