import type { SecretBox } from '../../platform/crypto.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { idNumberMac } from './unique-values.store.ts'

/** What can be set of a user at once; absent fields get the default of a new account, or stay. */
export type UserRow = {
  id: string
  account: string
  name: string
  /** Search keys; empty if the name is unchanged: the stored ones stay. */
  namePinyin: string
  nameInitials: string
  nickname: string | null
  gender: 'male' | 'female' | 'unknown'
  /** YYYY-MM-DD. */
  birthday: string | null
  /** Sealed. */
  idNumber: string | null
  /** Of the number, as hex, where it is another than before; absent: the job makes it. */
  idNumberMac?: string | null
  organizationId: string | null
  categoryId: string | null
  personnelTypeId: string | null
  phone: string | null
  mailbox: string | null
  alias: string | null
  enabled: boolean
  /** ISO timestamps. */
  validFrom?: string | null
  validUntil?: string | null
  activated?: boolean
  isSuperUser?: boolean
  mustChangePassword?: boolean
  /** The caller may reset the account anyway, so a new contact has no cooldown. */
  mayReset?: boolean
  /** Custom fields by key; absent: unchanged. */
  customValues?: Readonly<Record<string, string>>
}

type Write = {
  /** When the new contacts were set (see `contact-cooldown`); null: they are usable at once. */
  givenAt: Date | null
  now: Date
}

const recordset = (db: Db, rows: readonly UserRow[]) => db`
  jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, account text, name text, "namePinyin" text,
    "nameInitials" text, nickname text, gender text, birthday date, "idNumber" text, "idNumberMac" text, "organizationId" uuid, "categoryId" uuid,
    "personnelTypeId" uuid, phone text, mailbox text, alias text, enabled boolean, "validFrom" timestamptz,
    "validUntil" timestamptz, activated boolean, "isSuperUser" boolean, "mustChangePassword" boolean, "mayReset" boolean, "customValues" jsonb)`

/** @returns how many were inserted: fewer than given if somebody else has taken an account meanwhile. */
export async function insertUsers(db: Db, rows: readonly UserRow[], { givenAt, now }: Write): Promise<number> {
  const inserted = await db`
    insert into users (id, account, name, name_pinyin, name_initials, nickname, gender, birthday, id_number, id_number_mac, organization_id,
      category_id, personnel_type_id, phone, mailbox, phone_given_at, mailbox_given_at, alias, enabled, activated,
      is_super_user, must_change_password, custom_values, valid_from, valid_until, created_at, updated_at)
    select r.id, r.account, r.name, r."namePinyin", r."nameInitials", r.nickname, r.gender, r.birthday, r."idNumber",
      decode(r."idNumberMac", 'hex'), r."organizationId", r."categoryId", r."personnelTypeId", r.phone, r.mailbox,
      case when r.phone is not null then ${givenAt}::timestamptz end,
      case when r.mailbox is not null then ${givenAt}::timestamptz end, r.alias, r.enabled, coalesce(r.activated, false),
      coalesce(r."isSuperUser", false), coalesce(r."mustChangePassword", false), nullif(r."customValues", '{}'), r."validFrom", r."validUntil", ${now}, ${now}
    from ${recordset(db, rows)} on conflict (account) where deleted_at is null do nothing`
  return inserted.count
}

/** SQL value: when the row's contact was set. If the caller may reset the account, it counts as set at the account's creation. */
function givenAtColumn(db: Db, kind: 'phone' | 'mailbox', givenAt: Date | null): SqlFragment {
  const [before, after, former] = [db(`u.${kind}`), db(`r.${kind}`), db(`u.${kind}_given_at`)]
  return db`
    case when ${before} is not distinct from ${after} then ${former}
      when ${after} is not null and ${givenAt !== null} then case when r."mayReset" then u.created_at else ${givenAt} end end`
}

type Update = Write & {
  /** The rows don't contain the validity: it stays. */
  keepsValidity?: boolean
}

/** Writes all values except those that only a new account gets. */
export async function updateUsers(
  db: Db,
  rows: readonly UserRow[],
  { givenAt, now, keepsValidity = false }: Update,
): Promise<void> {
  await db`
    update users u set name = r.name,
      name_pinyin = case when u.name = r.name and r."namePinyin" = '' then u.name_pinyin else r."namePinyin" end,
      name_initials = case when u.name = r.name and r."nameInitials" = '' then u.name_initials else r."nameInitials" end,
      nickname = r.nickname, gender = r.gender, birthday = r.birthday, id_number = r."idNumber",
      id_number_mac = case when u.id_number is not distinct from r."idNumber" then u.id_number_mac else decode(r."idNumberMac", 'hex') end,
      organization_id = r."organizationId", category_id = r."categoryId", personnel_type_id = r."personnelTypeId",
      phone_given_at = ${givenAtColumn(db, 'phone', givenAt)}, mailbox_given_at = ${givenAtColumn(db, 'mailbox', givenAt)},
      phone = r.phone, mailbox = r.mailbox, alias = r.alias, enabled = r.enabled,
      is_super_user = coalesce(r."isSuperUser", u.is_super_user),
      custom_values = nullif(coalesce(r."customValues", u.custom_values), '{}')
      ${keepsValidity ? db`` : db`, valid_from = r."validFrom", valid_until = r."validUntil"`},
      version = u.version + 1, updated_at = ${now}
    from ${recordset(db, rows)} where u.id = r.id`
}

export type Profile = {
  nickname: string | null
  birthday: string | null
  gender: 'male' | 'female' | 'unknown'
  avatarId: string | null
}

export async function updateProfile(db: Db, id: string, profile: Profile, at: Date): Promise<void> {
  await db`
    update users set nickname = ${profile.nickname}, birthday = ${profile.birthday}, gender = ${profile.gender},
      avatar_id = ${profile.avatarId}, version = version + 1, updated_at = ${at}
    where id = ${id}`
}

/** Writes the number of an identity document, sealed, as a part of a change that raises the version itself. */
export async function setIdNumber({ db, secrets }: Sealing, id: string, idNumber: string): Promise<void> {
  await db`
    update users set id_number = ${secrets.seal(idNumber)}, id_number_mac = decode(${idNumberMac(secrets, idNumber)}, 'hex')
    where id = ${id}`
}

type Sealing = { db: Db; secrets: SecretBox }

type Contact = {
  userId: string
  kind: 'alias' | 'phone' | 'mailbox'
  value: string | null
  /** Absent: part of a change that increments the version itself. */
  at?: Date
}

/** Writes an alias, phone or mailbox that its owner has confirmed; its login name is written by `setLoginName`. */
export async function setContact(db: Db, { userId, kind, value, at }: Contact): Promise<void> {
  await db`
    update users set ${db(kind)} = ${value} ${at ? db`, version = version + 1, updated_at = ${at}` : db``}
    where id = ${userId}`
  if (kind !== 'alias') await confirmContact(db, userId, kind)
}

/** A logged-in person has shown that this address is theirs. */
export async function confirmContact(db: Db, userId: string, kind: 'phone' | 'mailbox'): Promise<void> {
  const column = db(`${kind}_given_at`)
  await db`update users set ${column} = null where id = ${userId} and ${column} is not null`
}

/** For a change in another table. */
export async function bumpUserVersion(db: Db, userId: string, at: Date): Promise<void> {
  await db`update users set version = version + 1, updated_at = ${at} where id = ${userId}`
}

/** Deleted users do not keep a category or personnel type in use. */
export async function clearInDeletedUsers(
  db: Db,
  table: 'user_categories' | 'personnel_types',
  id: string,
): Promise<void> {
  const column = table === 'user_categories' ? db`category_id` : db`personnel_type_id`
  await db`update users set ${column} = null where ${column} = ${id} and deleted_at is not null`
}

/** @returns the former account; null if somebody else has this one, or the person doesn't exist. */
export async function setAccount(db: Db, id: string, account: string, at: Date): Promise<string | null> {
  const [row] = await db<{ account: string }[]>`
    select account from users where id = ${id} and deleted_at is null for no key update`
  if (!row) return null
  const { count } = await db`
    update users set account = ${account}, version = version + 1, updated_at = ${at}
    where id = ${id} and not exists (select from users o where o.account = ${account} and o.deleted_at is null and o.id <> ${id})`
  return count > 0 ? row.account : null
}
