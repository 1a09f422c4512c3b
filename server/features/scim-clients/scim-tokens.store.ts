import type { ScimClientFields } from '#shared/contract/scim-clients.ts'
import type { Db } from '../../platform/db.ts'

export type TokenRow = {
  id: string
  clientId: string
  hint: string
  createdAt: Date
  createdBy: string | null
  expiresAt: Date
  lastUsedAt: Date | null
}

/** Tokens of these clients that are valid at a moment, newest of each first. */
export const listValidTokens = (db: Db, clientIds: readonly string[], now: Date) => db<TokenRow[]>`
  select t.id, t.client_id, t.hint, t.created_at, u.name as created_by, t.expires_at,
    t.last_used_at
  from scim_tokens t left join users u on u.id = t.created_by
  where t.client_id = any(${clientIds as string[]}::uuid[]) and t.expires_at > ${now}
  order by t.created_at desc, t.id desc`

type NewToken = { id: string; clientId: string; hash: Buffer; hint: string; at: Date; by: string; expiresAt: Date }

/** Also deletes expired ones, which nobody needs any more. */
export async function insertToken(db: Db, { id, clientId, hash, hint, at, by, expiresAt }: NewToken): Promise<void> {
  await db`delete from scim_tokens where client_id = ${clientId} and expires_at <= ${at}`
  await db`
    insert into scim_tokens (id, client_id, hash, hint, created_at, created_by, expires_at)
    values (${id}, ${clientId}, ${hash}, ${hint}, ${at}, ${by}, ${expiresAt})`
}

/** Limits the validity of these to `until`. */
export const expireTokens = (db: Db, ids: readonly string[], until: Date) =>
  db`update scim_tokens set expires_at = least(expires_at, ${until}) where id = any(${ids as string[]}::uuid[])`

/** The client of a token, if both may be used. */
export type TokenOwner = Omit<ScimClientFields, 'enabled' | 'note'> & {
  id: string
  tokenId: string
  lastUsedAt: Date | null
  releasedAt: Date | null
}

export async function findTokenOwner(db: Db, hash: Buffer, now: Date): Promise<TokenOwner | null> {
  const [row] = await db<TokenOwner[]>`
    select c.id, c.name, c.scopes, c.calls_per_minute, c.max_disabled_per_day, c.max_moved_per_day,
      c.max_renamed_per_day, c.max_created_per_day, c.released_at, t.id as token_id, t.last_used_at
    from scim_tokens t join scim_clients c on c.id = t.client_id
    where t.hash = ${hash} and t.expires_at > ${now} and c.enabled`
  return row ?? null
}

export const updateLastUse = (db: Db, tokenId: string, at: Date) =>
  db`update scim_tokens set last_used_at = ${at} where id = ${tokenId}`
