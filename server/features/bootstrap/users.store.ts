import type { Db } from '../../platform/db.ts'
import { inChunks } from './bootstrap.plan.ts'

export type UserRow = {
  id: string
  account: string
  name: string
  namePinyin: string
  nameInitials: string
  nickname: string | null
  gender: 'male' | 'female' | 'unknown'
  birthday: string | null
  /** In clear in a plan, sealed in the table. */
  idNumber: string | null
  categoryId: string | null
  personnelNatureId: string | null
  organizationId: string | null
  phone: string | null
  mailbox: string | null
  alias: string | null
  isSuperUser: boolean
  enabled: boolean
  activated: boolean
  mustChangePassword: boolean
  /** Sorted. */
  roleIds: string[]
}

export const usersWithAccounts = (db: Db, accounts: readonly string[]) => db<UserRow[]>`
  select u.id, account, name, name_pinyin as "namePinyin", name_initials as "nameInitials", nickname, gender,
    birthday::text, id_number as "idNumber", category_id as "categoryId",
    personnel_nature_id as "personnelNatureId", organization_id as "organizationId", phone, mailbox, alias,
    is_super_user as "isSuperUser", enabled, activated, must_change_password as "mustChangePassword",
    array(select role_id from role_members m where m.user_id = u.id order by role_id) as "roleIds"
  from users u where account = any(${accounts as string[]}) and deleted_at is null`

export const idsOfAccounts = (db: Db, accounts: readonly string[]) => db<{ account: string; id: string }[]>`
  select account, id from users where account = any(${accounts as string[]}) and deleted_at is null`

export type LoginNameRow = { canonical: string; userId: string; kind: 'account' | 'alias' | 'phone' | 'mailbox' }

export const ownersOfLoginNames = (db: Db, canonical: readonly string[]) => db<
  { canonical: string; userId: string; account: string }[]
>`
  select canonical, user_id as "userId", account from login_names join users u on u.id = user_id
  where canonical = any(${canonical as string[]})`

const rowsOf = (db: Db, rows: readonly UserRow[]) => db`
  jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, account text, name text, "namePinyin" text,
    "nameInitials" text, nickname text, gender text, birthday date, "idNumber" text, "categoryId" uuid,
    "personnelNatureId" uuid, "organizationId" uuid, phone text, mailbox text, alias text, "isSuperUser" boolean, enabled boolean, activated boolean, "mustChangePassword" boolean)`

export async function insertUsers(db: Db, rows: readonly UserRow[], now: Date): Promise<void> {
  for (const chunk of inChunks(rows)) {
    await db`
      insert into users (id, account, name, name_pinyin, name_initials, nickname, gender, birthday, id_number, category_id,
        personnel_nature_id, organization_id, phone, mailbox, alias, is_super_user, enabled, activated, must_change_password, created_at, updated_at)
      select r.id, r.account, r.name, r."namePinyin", r."nameInitials", r.nickname, r.gender, r.birthday, r."idNumber",
        r."categoryId", r."personnelNatureId", r."organizationId", r.phone, r.mailbox, r.alias, r."isSuperUser", r.enabled, r.activated, r."mustChangePassword",
        ${now}, ${now}
      from ${rowsOf(db, chunk)}`
  }
}

export async function updateUsers(db: Db, rows: readonly UserRow[], now: Date): Promise<void> {
  for (const chunk of inChunks(rows)) {
    await db`
      update users u set name = r.name, name_pinyin = r."namePinyin", name_initials = r."nameInitials",
        nickname = r.nickname, gender = r.gender, birthday = r.birthday, id_number = r."idNumber", category_id = r."categoryId",
        personnel_nature_id = r."personnelNatureId", organization_id = r."organizationId",
        phone_given_at = case when u.phone is not distinct from r.phone then u.phone_given_at end,
        mailbox_given_at = case when u.mailbox is not distinct from r.mailbox then u.mailbox_given_at end,
        phone = r.phone, mailbox = r.mailbox, alias = r.alias,
        is_super_user = r."isSuperUser", enabled = r.enabled, version = u.version + 1, updated_at = ${now}
      from ${rowsOf(db, chunk)} where u.id = r.id`
  }
}

/** Replaces all login names of these people, so that a name may pass from one to the other. */
export async function replaceLoginNames(
  db: Db,
  userIds: readonly string[],
  rows: readonly LoginNameRow[],
): Promise<void> {
  for (const chunk of inChunks(userIds)) await db`delete from login_names where user_id = any(${chunk}::uuid[])`
  for (const chunk of inChunks(rows)) {
    await db`
      insert into login_names (canonical, user_id, kind)
      select r.canonical, r."userId", r.kind
      from jsonb_to_recordset(${JSON.stringify(chunk)}::text::jsonb) as r(canonical text, "userId" uuid, kind text)`
  }
}

export async function replaceRoles(db: Db, rows: readonly UserRow[]): Promise<void> {
  for (const chunk of inChunks(rows)) {
    await db`delete from role_members where user_id = any(${chunk.map(({ id }) => id)}::uuid[])`
    const members = chunk.flatMap(({ id, roleIds }) => roleIds.map((roleId) => ({ id, roleId })))
    await db`
      insert into role_members (role_id, user_id)
      select r."roleId", r.id from jsonb_to_recordset(${JSON.stringify(members)}::text::jsonb) as r("roleId" uuid, id uuid)`
  }
}

export type PasswordRow = { userId: string; hash: string }

export async function insertPasswords(db: Db, rows: readonly PasswordRow[], now: Date): Promise<void> {
  for (const chunk of inChunks(rows)) {
    await db`
      insert into passwords (user_id, hash, changed_at)
      select r."userId", r.hash, ${now}
      from jsonb_to_recordset(${JSON.stringify(chunk)}::text::jsonb) as r("userId" uuid, hash text)`
  }
}

export type AnswerRow = { userId: string; question: string; answerHash: string; position: number }

export async function insertAnswers(db: Db, rows: readonly AnswerRow[]): Promise<void> {
  for (const chunk of inChunks(rows)) {
    await db`
      insert into security_answers (user_id, question, answer_hash, position)
      select r."userId", r.question, r."answerHash", r.position
      from jsonb_to_recordset(${JSON.stringify(chunk)}::text::jsonb)
        as r("userId" uuid, question text, "answerHash" text, position int)`
  }
}
