import type { Db } from '../../platform/db.ts'

type NewCode = { userId: string; codeHash: Buffer; expiresAt: Date; createdBy: string | null; at: Date }

/** Replaces a person's earlier code. */
export const upsertCode = (db: Db, c: NewCode) => db`
  insert into activation_codes (user_id, code_hash, expires_at, created_by, created_at)
  values (${c.userId}, ${c.codeHash}, ${c.expiresAt}, ${c.createdBy}, ${c.at})
  on conflict (user_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at,
    created_by = excluded.created_by, created_at = excluded.created_at`

/** Consumes a code: of parallel attempts one gets the person. */
export async function consumeCode(db: Db, codeHash: Buffer, now: Date): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    delete from activation_codes where code_hash = ${codeHash} and expires_at > ${now} returning user_id`
  return row?.userId ?? null
}

/** Deletes the codes of these people and the activations started with them. */
export async function deleteActivationCodes(db: Db, userIds: readonly string[]): Promise<void> {
  await db`delete from activation_codes where user_id = any(${userIds as string[]}::uuid[])`
  await db`delete from activation_flows where user_id = any(${userIds as string[]}::uuid[])`
}

export const deleteExpiredCodes = (db: Db, before: Date) =>
  db`delete from activation_codes where expires_at < ${before}`
