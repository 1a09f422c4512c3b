import type { Db } from '../../platform/db.ts'
import { type OwnerFactsRow, ownerFactsColumns } from '../password-demands/index.ts'
import { markPasswordChanged } from '../user-accounts/index.ts'

/** Enough for the longest history that the policy allows. */
const MAX_FORMER_PASSWORDS = 24

export type PasswordOwnerRow = OwnerFactsRow & {
  account: string
  name: string
  namePinyin: string
  nickname: string | null
  alias: string | null
  phone: string | null
  birthday: string | null
  /** Null: no password yet. */
  hash: string | null
  /** The last ones, newest first. */
  former: string[]
}

/** What a new password of this person must not repeat. */
export async function findPasswordOwner(db: Db, userId: string, now: Date): Promise<PasswordOwnerRow | null> {
  const [row] = await db<PasswordOwnerRow[]>`
    select u.account, u.name, u.name_pinyin, u.nickname, u.alias, u.phone, u.birthday::text as birthday, p.hash,
      ${ownerFactsColumns(db, now)},
      array(select f.hash from former_passwords f where f.user_id = u.id order by f.replaced_at desc) as former
    from users u left join passwords p on p.user_id = u.id where u.id = ${userId} and u.deleted_at is null`
  return row ?? null
}

type PasswordReplacement = { userId: string; old: string | null; hash: string; at: Date; changedBy: string | null }

/**
 * Replaces a password and keeps the old one among the former.
 * @returns false if it no longer is the one in `old`.
 */
export async function replacePassword(db: Db, c: PasswordReplacement): Promise<boolean> {
  // The person's row first, as everywhere: otherwise this could deadlock with a transaction that holds it and waits for the password.
  await db`select from users where id = ${c.userId} for no key update`
  const saved =
    c.old === null
      ? await db`
        insert into passwords (user_id, hash, changed_at, changed_by) values (${c.userId}, ${c.hash}, ${c.at}, ${c.changedBy})
        on conflict (user_id) do nothing`
      : await db`
        update passwords set hash = ${c.hash}, changed_at = ${c.at}, changed_by = ${c.changedBy}
        where user_id = ${c.userId} and hash = ${c.old}`
  if (saved.count === 0) return false
  if (c.old !== null) await saveFormerPassword(db, c.userId, c.old, c.at)
  await markPasswordChanged(db, c.userId, c.at)
  return true
}

async function saveFormerPassword(db: Db, userId: string, hash: string, at: Date): Promise<void> {
  await db`
    insert into former_passwords (user_id, hash, replaced_at) values (${userId}, ${hash}, ${at})
    on conflict (user_id, replaced_at) do nothing`
  await db`
    delete from former_passwords where user_id = ${userId} and replaced_at in (
      select replaced_at from former_passwords where user_id = ${userId} order by replaced_at desc offset ${MAX_FORMER_PASSWORDS})`
}

/** A sample large enough to know which kinds of hash are in use. */
const SAMPLE_ROWS = 20_000

/** The kinds of stored hash (see `hashKind`) with their shares, largest first, from a sample. */
export async function sampleHashKinds(db: Db): Promise<{ kind: string; share: number }[]> {
  const [table] = await db<{ rows: number }[]>`
    select greatest(reltuples, 1)::float8 as rows from pg_class where oid = 'passwords'::regclass`
  const percent = Math.min(100, (100 * SAMPLE_ROWS) / (table?.rows ?? 1))
  return [
    ...(await db<{ kind: string; share: number }[]>`
      select kind, (count(*) / sum(count(*)) over ())::float8 as share
      from (
        select coalesce(substring(hash from '^\\$2\\w\\$\\d\\d'), substring(hash from 'm=\\d+,t=\\d+,p=\\d+')) as kind
        from passwords tablesample system (${percent})
      ) as sample where kind is not null group by kind order by share desc, kind limit 50`),
  ]
}

/** Replaces the hash of an unchanged password; not if it was replaced meanwhile. */
export async function updatePasswordHash(db: Db, userId: string, old: string, renewed: string): Promise<void> {
  await db`update passwords set hash = ${renewed} where user_id = ${userId} and hash = ${old}`
}

export type PasswordRow = { userId: string; hash: string }

/** For users who have none yet. */
export async function insertPasswords(db: Db, rows: readonly PasswordRow[], now: Date): Promise<void> {
  await db`
    insert into passwords (user_id, hash, changed_at)
    select r."userId", r.hash, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r("userId" uuid, hash text)`
}

/** Sets a password unconditionally, without a history: for the command line. */
export async function overwritePassword(db: Db, { userId, hash }: PasswordRow, now: Date): Promise<void> {
  await db`
    insert into passwords (user_id, hash, changed_at) values (${userId}, ${hash}, ${now})
    on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at, changed_by = null`
}

/** Deletes a password; it stays among the former ones. */
export async function archivePassword(db: Db, userId: string, at: Date): Promise<void> {
  await db`
    insert into former_passwords (user_id, hash, replaced_at)
    select user_id, hash, ${at} from passwords where user_id = ${userId} on conflict (user_id, replaced_at) do nothing`
  await db`delete from passwords where user_id = ${userId}`
}
