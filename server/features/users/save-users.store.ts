import type { PendingQuery, Row } from 'postgres'
import type { Power } from '#shared/contract/powers.ts'
import type { Db } from '../../platform/db.ts'
import { isEnding } from '../organizations/index.ts'
import type { PersonValues } from './save-users.types.ts'

/** Somebody as they stand, with what decides whether they may be changed. */
export type Existing = {
  id: string
  account: string
  version: number
  isSuperUser: boolean
  mayChange: boolean
  /** Could whoever saves give somebody access to the account anyway? */
  mayReset: boolean
  /** Are phone and mailbox shown in full to whoever saves? */
  isOpen: boolean
  values: PersonValues
}

type Found = Omit<Existing, 'values'> &
  Omit<PersonValues, 'validFrom' | 'validUntil'> & { validFrom: Date | null; validUntil: Date | null }

type Wanted = {
  ids: readonly string[]
  accounts: readonly string[]
  mayChange: PendingQuery<Row[]>
  mayReset: PendingQuery<Row[]>
  isOpen: PendingQuery<Row[]>
  lock: boolean
}

/** Who has these ids or accounts; with `lock` their rows stay locked until the end of the transaction. */
export async function existingPeople(db: Db, { ids, accounts, lock, ...may }: Wanted): Promise<Existing[]> {
  const byId = db`u.id = any(${ids as string[]}::uuid[])`
  const byAccount = db`u.account = any(${accounts as string[]})`
  const which = accounts.length === 0 ? byId : ids.length === 0 ? byAccount : db`${byId} or ${byAccount}`
  const wanted = db`(${which}) and u.deleted_at is null`
  // By itself and in one order: who saves two people at once meets nobody who does so the other way round.
  if (lock) await db`select from users u where ${wanted} order by u.id for no key update`
  const rows = await db<Found[]>`
    select u.id, u.account, u.version, u.is_super_user as "isSuperUser", ${may.mayChange} as "mayChange",
      ${may.mayReset} as "mayReset", ${may.isOpen} as "isOpen",
      u.name, u.nickname, u.gender, u.birthday::text as birthday, u.id_number as "idNumber",
      u.organization_id as "organizationId", u.category_id as "categoryId", u.personnel_nature_id as "personnelNatureId",
      u.phone, u.mailbox, u.alias, u.enabled, u.valid_from as "validFrom", u.valid_until as "validUntil",
      array(select s.organization_id from user_organizations s where s.user_id = u.id order by s.organization_id)
        as "secondaryOrganizationIds"
    from users u where ${wanted}`
  return rows.map(
    ({ id, account, version, isSuperUser, mayChange, mayReset, isOpen, validFrom, validUntil, ...values }) => ({
      id,
      account,
      version,
      isSuperUser,
      mayChange,
      mayReset,
      isOpen,
      values: { ...values, validFrom: validFrom?.toISOString() ?? null, validUntil: validUntil?.toISOString() ?? null },
    }),
  )
}

export type NamedRow = {
  id: string
  name: string
  isOpen: boolean
  /** It is merged or deleted in the background. */
  isEnding: boolean
  inScope: boolean
  /** What the caller may do there. */
  powers: Power[]
}

type Caller = { inScope: PendingQuery<Row[]>; powers: PendingQuery<Row[]> }

/** The organisations of these ids: name, whether they take people, whether the caller may put people into them, and what else they may. */
export const namedOrganizations = (db: Db, ids: readonly string[], caller: Caller) => db<NamedRow[]>`
  select o.id, o.name, o.enabled as "isOpen", ${isEnding(db)} as "isEnding", ${caller.inScope} as "inScope", ${caller.powers} as powers
  from organizations o where o.id = any(${ids as string[]}::uuid[])`

/** Which of these numbers somebody had who is deleted and once logged in, in lower case: other systems may know them by it. */
export async function formerAccounts(db: Db, accounts: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ account: string }[]>`
    select distinct lower(account) as account from users
    where lower(account) = any(${accounts.map((account) => account.toLowerCase())}) and deleted_at is not null
      and last_login_at is not null`
  return new Set(rows.map(({ account }) => account))
}

/** Which of these people `maySee` (a condition on `u`) holds for. */
export async function seenOf(db: Db, ids: readonly string[], maySee: PendingQuery<Row[]>): Promise<Set<string>> {
  const rows = await db<
    { id: string }[]
  >`select u.id from users u where u.id = any(${ids as string[]}::uuid[]) and ${maySee}`
  return new Set(rows.map(({ id }) => id))
}

export const namedEntries = (db: Db, table: 'user_categories' | 'personnel_natures', ids: readonly string[]) =>
  db<{ id: string; name: string }[]>`select id, name from ${db(table)} where id = any(${ids as string[]}::uuid[])`

/** Somebody as they are to stand. */
export type PersonRow = PersonValues & {
  id: string
  account: string
  namePinyin: string
  nameInitials: string
  mayReset: boolean
}

const rowsOf = (db: Db, rows: readonly PersonRow[]) => db`
  jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, account text, name text, "namePinyin" text,
    "nameInitials" text, nickname text, gender text, birthday date, "idNumber" text, "organizationId" uuid, "categoryId" uuid,
    "personnelNatureId" uuid, phone text, mailbox text, alias text, enabled boolean, "validFrom" timestamptz,
    "validUntil" timestamptz, "mayReset" boolean)`

/** @returns how many were inserted: less than were given when somebody else has taken an account meanwhile. */
export async function insertPeople(
  db: Db,
  rows: readonly PersonRow[],
  { activated, givenAt, now }: { activated: boolean; givenAt: Date | null; now: Date },
): Promise<number> {
  const inserted = await db`
    insert into users (id, account, name, name_pinyin, name_initials, nickname, gender, birthday, id_number, organization_id,
      category_id, personnel_nature_id, phone, mailbox, phone_given_at, mailbox_given_at, alias, enabled, activated, valid_from,
      valid_until, created_at, updated_at)
    select r.id, r.account, r.name, r."namePinyin", r."nameInitials", r.nickname, r.gender, r.birthday, r."idNumber",
      r."organizationId", r."categoryId", r."personnelNatureId", r.phone, r.mailbox, case when r.phone is not null then ${givenAt}::timestamptz end,
      case when r.mailbox is not null then ${givenAt}::timestamptz end, r.alias, r.enabled,
      ${activated}, r."validFrom", r."validUntil", ${now}, ${now}
    from ${rowsOf(db, rows)} on conflict (account) where deleted_at is null do nothing`
  return inserted.count
}

/** SQL value: when the row's contact was given. By who could reset the account anyway it counts as given with the account. */
function givenAgain(db: Db, kind: 'phone' | 'mailbox', givenAt: Date | null): PendingQuery<Row[]> {
  const [before, after, former] = [db(`u.${kind}`), db(`r.${kind}`), db(`u.${kind}_given_at`)]
  return db`
    case when ${before} is not distinct from ${after} then ${former}
      when ${after} is not null and ${givenAt !== null} then case when r."mayReset" then u.created_at else ${givenAt} end end`
}

/** Writes all values; the search forms only where a new name brings them. */
export async function updatePeople(
  db: Db,
  rows: readonly PersonRow[],
  { givenAt, now }: { givenAt: Date | null; now: Date },
): Promise<void> {
  await db`
    update users u set name = r.name,
      name_pinyin = case when u.name = r.name then u.name_pinyin else r."namePinyin" end,
      name_initials = case when u.name = r.name then u.name_initials else r."nameInitials" end,
      nickname = r.nickname, gender = r.gender, birthday = r.birthday, id_number = r."idNumber",
      organization_id = r."organizationId", category_id = r."categoryId", personnel_nature_id = r."personnelNatureId",
      phone_given_at = ${givenAgain(db, 'phone', givenAt)}, mailbox_given_at = ${givenAgain(db, 'mailbox', givenAt)},
      phone = r.phone, mailbox = r.mailbox, alias = r.alias, enabled = r.enabled, valid_from = r."validFrom",
      valid_until = r."validUntil", version = u.version + 1, updated_at = ${now}
    from ${rowsOf(db, rows)} where u.id = r.id`
}

export async function replaceSecondary(db: Db, rows: readonly PersonRow[]): Promise<void> {
  if (rows.length === 0) return
  await db`delete from user_organizations where user_id = any(${rows.map(({ id }) => id)}::uuid[])`
  const pairs = rows.flatMap(({ id, secondaryOrganizationIds }) =>
    secondaryOrganizationIds.map((other) => ({ id, other })),
  )
  if (pairs.length === 0) return
  await db`
    insert into user_organizations (user_id, organization_id)
    select r.id, r.other from jsonb_to_recordset(${JSON.stringify(pairs)}::text::jsonb) as r(id uuid, other uuid)`
}
