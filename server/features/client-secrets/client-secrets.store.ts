import type { Db } from '../../platform/db.ts'

type ClientSecretUpdate = { appId: string; hash: string; version: number | null; now: Date }

/** Replaces the secret of an OAuth client. @returns its id; null if there is none, or it has another version */
export async function updateClientSecret(
  db: Db,
  { appId, hash, version, now }: ClientSecretUpdate,
): Promise<string | null> {
  const [saved] = await db<{ id: string }[]>`
    update applications set client_secret_hash = ${hash}, version = version + 1, updated_at = ${now}
    where app_id = ${appId} and protocol = 'oauth2' and client_id is not null
      and (${version}::int is null or version = ${version})
    returning id`
  return saved?.id ?? null
}
