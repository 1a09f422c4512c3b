import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { Db } from '../../platform/db.ts'

type LoginNameInput = {
  userId: string
  kind: LoginNameKind
  /** As displayed; null: the person no longer has one of this kind. */
  name: string | null
}

/**
 * Gives a person a login name in place of their former one of that kind, inside the caller's transaction; of parallel calls for one name
 * one succeeds. A name that they already have as another kind (an account that is the phone number) needs no second row.
 * @returns false if it is somebody else's: roll the transaction back.
 */
export async function setLoginName(db: Db, { userId, kind, name }: LoginNameInput): Promise<boolean> {
  const canonical = name === null ? null : canonicalLoginName(name)
  // Looked up before the former name is deleted: otherwise two people who swap names would deadlock.
  const owner = canonical === null ? null : await findLoginNameOwner(db, canonical)
  if (owner !== null && owner !== userId) return false
  const [former] = await db<{ canonical: string }[]>`
    delete from login_names where user_id = ${userId} and kind = ${kind} returning canonical`
  if (former && former.canonical !== canonical) await keepOtherKind(db, { userId, kind, canonical: former.canonical })
  if (canonical === null) return true
  const taken = await db`
    insert into login_names (canonical, user_id, kind) values (${canonical}, ${userId}, ${kind})
    on conflict (canonical) do nothing`
  return taken.count > 0 || (await findLoginNameOwner(db, canonical)) === userId
}

/** The name that a person no longer has as one kind, if they also have it as another, which needed no row until now. */
async function keepOtherKind(db: Db, { userId, kind, canonical }: LoginNameRow): Promise<void> {
  const [person] = await db<NamedPerson[]>`select id, account, alias, phone, mailbox from users where id = ${userId}`
  if (!person) return
  const kept = toLoginNames({ ...person, [kind]: null }).find((name) => name.canonical === canonical)
  if (kept) await db`insert into login_names (canonical, user_id, kind) values (${canonical}, ${userId}, ${kept.kind})`
}

/** The user who has this login name, if any. */
export async function findLoginNameOwner(db: Db, canonical: string): Promise<string | null> {
  const [row] = await db<{ userId: string }[]>`
    select user_id from login_names where canonical = ${canonical}`
  return row?.userId ?? null
}

export const LOGIN_NAME_KINDS = ['account', 'alias', 'phone', 'mailbox'] as const
export type LoginNameKind = (typeof LOGIN_NAME_KINDS)[number]
export type LoginNameRow = { canonical: string; userId: string; kind: LoginNameKind }

type NamedPerson = { id: string } & Record<LoginNameKind, string | null>

/** The login names of a person; one that occurs twice (an account that is the phone number) counts once. */
export function toLoginNames(person: NamedPerson): LoginNameRow[] {
  const names = new Map<string, LoginNameRow>()
  for (const kind of LOGIN_NAME_KINDS) {
    const name = person[kind]
    const canonical = name === null ? '' : canonicalLoginName(name)
    if (canonical && !names.has(canonical)) names.set(canonical, { canonical, userId: person.id, kind })
  }
  return [...names.values()]
}

export const listLoginNameOwners = (db: Db, canonical: readonly string[]) => db<LoginNameRow[]>`
  select canonical, user_id, kind from login_names where canonical = any(${canonical as string[]})`

/**
 * Replaces all login names of these people at once, so that a name may move from one to the other.
 * @returns false if somebody else has taken one meanwhile: roll the transaction back.
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
    select r.canonical, r.user_id, r.kind
    from unnest(${rows.map(({ canonical }) => canonical)}::text[], ${rows.map(({ userId }) => userId)}::uuid[],
      ${rows.map(({ kind }) => kind)}::text[]) as r(canonical, user_id, kind)
    order by r.canonical on conflict (canonical) do nothing`
  return inserted.count === rows.length
}

/** Adds a login name; one that the user already has, of whatever kind, stays. @returns false if it is somebody else's. */
export async function addLoginName(db: Db, { canonical, userId, kind }: LoginNameRow): Promise<boolean> {
  const rows = await db`
    insert into login_names as l (canonical, user_id, kind) values (${canonical}, ${userId}, ${kind})
    on conflict (canonical) do update set kind = l.kind where l.user_id = excluded.user_id`
  return rows.count > 0
}
