import type { AccountField } from '#shared/contract/account-fields.ts'
import { type CustomFieldName, isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import type { Db } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'
import { demandsText, type RequiredField } from '../access/index.ts'
import { comparedColumn, type UniqueField } from '../user-accounts/index.ts'
import { type Blocks, withinBlocks } from './user-blocks.store.ts'

/** Who is asked for a field: activated people, and those who are not yet. */
export type Lacking = { field: RequiredField; activated: boolean; others: boolean }

/** As a login or an activation asks; a condition of its own, so that who owns a field is read once and not for each person. */
const peopleLackingIt = (db: Db, { field, activated, others }: Lacking) => db`
  from users u
  where u.deleted_at is null and u.enabled and ${toFragment(db, demandsText([field]), {})}
    ${activated && others ? db`` : activated ? db`and u.activated` : db`and not u.activated`}`

export async function countLacking(db: Db, one: Lacking): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count ${peopleLackingIt(db, one)}`
  return row?.count ?? 0
}

/** Examples. */
export const listLacking = (db: Db, one: Lacking, limit: number) =>
  db<{ userId: string; account: string; name: string }[]>`
    select u.id as user_id, u.account, u.name ${peopleLackingIt(db, one)} limit ${limit}`

/** How many people have the same value as somebody else, and some of those values: one pass over everybody. */
export async function countSharing(
  db: Db,
  field: UniqueField,
  limit: number,
): Promise<{ count: number; values: string[] }> {
  const value = comparedColumn(db, field)
  const [row] = await db<{ count: number; values: string[] }[]>`
    with shared as materialized (
      select ${value} as value, count(*) as n from users u where u.deleted_at is null and ${value} is not null
      group by 1 having count(*) > 1)
    select coalesce(sum(n), 0)::int as count, array(select value from shared order by value limit ${limit}) as values from shared`
  return row ?? { count: 0, values: [] }
}

/** Some of the people with these values, those who share one beside each other. */
export const listSharing = (db: Db, field: UniqueField, { values, limit }: { values: string[]; limit: number }) => {
  const value = comparedColumn(db, field)
  return db<{ userId: string; account: string; name: string }[]>`
    select u.id as user_id, u.account, u.name from users u
    where u.deleted_at is null and ${value} = any(${values}) order by ${value}, u.account limit ${limit}`
}

const COLUMNS = {
  account: 'account',
  name: 'name',
  nickname: 'nickname',
  alias: 'alias',
  phone: 'phone',
  mailbox: 'mailbox',
  idNumber: 'id_number',
} as const satisfies Partial<Record<AccountField, string>>
type ProductText = keyof typeof COLUMNS
export type TextField = ProductText | CustomFieldName
export const TEXT_FIELDS = Object.keys(COLUMNS) as ProductText[]

const textOf = (db: Db, field: TextField) =>
  isCustomName(field) ? db`(u.custom_values ->> ${keyOfCustom(field)})` : db`u.${db(COLUMNS[field])}`

/** The values of the people in these blocks for each field, in the order of the fields: values only, which halves the work. */
export async function listValues(db: Db, fields: readonly TextField[], blocks: Blocks): Promise<string[][]> {
  const columns = fields
    .map((field) => db`json_agg(${textOf(db, field)}) filter (where ${textOf(db, field)} is not null)`)
    .reduce((all, one) => db`${all}, ${one}`)
  const [row] = await db<{ values: (string[] | null)[] }[]>`
    select json_build_array(${columns}) as values from users u where ${withinBlocks(db, blocks)} and u.deleted_at is null`
  return fields.map((_, at) => row?.values[at] ?? [])
}

/** Some of the people in these blocks who have one of these values. */
export async function listHolders(
  db: Db,
  blocks: Blocks,
  { field, values, limit }: { field: TextField; values: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select u.id from users u
    where ${withinBlocks(db, blocks)} and u.deleted_at is null and ${textOf(db, field)} = any(${values as string[]}) limit ${limit}`
  return rows.map(({ id }) => id)
}
