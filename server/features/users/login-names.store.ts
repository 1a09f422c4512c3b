import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { Db } from '../../platform/db.ts'

type Taking = {
  userId: string
  kind: 'alias' | 'phone' | 'mailbox'
  /** As it is shown; null: the person has none of this kind any more. */
  name: string | null
}

/**
 * Gives a person a login name in place of their former one of that kind, inside the caller's transaction; of parallel takers of one
 * name one gets it. A name that is theirs already under another kind (an account that is the phone number) needs no second row.
 * @returns false when it is somebody else's: roll the transaction back.
 */
export async function takeLoginName(db: Db, { userId, kind, name }: Taking): Promise<boolean> {
  const canonical = name === null ? null : canonicalLoginName(name)
  // Asked before the former name is let go: two people who want each other's would wait for each other for ever.
  const owner = canonical === null ? null : await ownerOf(db, canonical)
  if (owner !== null && owner !== userId) return false
  await db`delete from login_names where user_id = ${userId} and kind = ${kind}`
  if (canonical === null) return true
  const taken = await db`
    insert into login_names (canonical, user_id, kind) values (${canonical}, ${userId}, ${kind})
    on conflict (canonical) do nothing`
  return taken.count > 0 || (await ownerOf(db, canonical)) === userId
}

async function ownerOf(db: Db, canonical: string): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    select user_id as "userId" from login_names where canonical = ${canonical}`
  return row?.userId ?? null
}

export const LOGIN_NAME_KINDS = ['account', 'alias', 'phone', 'mailbox'] as const
export type LoginNameKind = (typeof LOGIN_NAME_KINDS)[number]
export type LoginNameRow = { canonical: string; userId: string; kind: LoginNameKind }

type Named = { id: string } & Record<LoginNameKind, string | null>

/** The names that lead to a person; one that says the same twice (an account that is the phone number) counts once. */
export function loginNamesOf(person: Named): LoginNameRow[] {
  const names = new Map<string, LoginNameRow>()
  for (const kind of LOGIN_NAME_KINDS) {
    const name = person[kind]
    const canonical = name === null ? '' : canonicalLoginName(name)
    if (canonical && !names.has(canonical)) names.set(canonical, { canonical, userId: person.id, kind })
  }
  return [...names.values()]
}

export const ownersOfLoginNames = (db: Db, canonical: readonly string[]) => db<LoginNameRow[]>`
  select canonical, user_id as "userId", kind from login_names where canonical = any(${canonical as string[]})`

/**
 * Replaces all login names of these people at once, so that a name may pass from one to the other.
 * @returns false when somebody else has taken one meanwhile: roll the transaction back.
 */
export async function replaceLoginNames(
  db: Db,
  userIds: readonly string[],
  rows: readonly LoginNameRow[],
): Promise<boolean> {
  if (userIds.length > 0) await db`delete from login_names where user_id = any(${userIds as string[]}::uuid[])`
  if (rows.length === 0) return true
  const inserted = await db`
    insert into login_names (canonical, user_id, kind)
    select r.canonical, r."userId", r.kind
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(canonical text, "userId" uuid, kind text)
    order by r.canonical on conflict (canonical) do nothing`
  return inserted.count === rows.length
}
