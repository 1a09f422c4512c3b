import type { AccountField } from '#shared/contract/account-fields.ts'
import { type CustomFieldName, isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import type { Db } from '../../platform/db.ts'
import { toFragment } from '../../platform/statement.ts'
import { lacksText, type RequiredField } from '../access/index.ts'
import { type Blocks, withinBlocks } from './user-blocks.store.ts'

/** Who is asked for a field: of those who are activated, and of those who are not yet. */
export type Lacking = { field: RequiredField; activated: boolean; others: boolean }

function isLacking(db: Db, { field, activated, others }: Lacking) {
  const lacks = toFragment(db, lacksText([field]), {})
  if (activated && others) return lacks
  return db`(${lacks} and ${activated ? db`u.activated` : db`not u.activated`})`
}

/** In their order: one scan of everybody. */
export async function countLacking(db: Db, lacking: readonly Lacking[]): Promise<number[]> {
  const counts = lacking
    .map((one) => db`count(*) filter (where ${isLacking(db, one)})::int`)
    .reduce((all, one) => db`${all}, ${one}`)
  const [row] = await db<{ counts: number[] }[]>`
    select array[${counts}] as counts from users u where u.deleted_at is null and u.enabled`
  return row?.counts ?? []
}

/** Some of them. */
export const listLacking = (db: Db, one: Lacking, limit: number) => db<
  { userId: string; account: string; name: string }[]
>`
  select u.id as "userId", u.account, u.name from users u
  where u.deleted_at is null and u.enabled and ${isLacking(db, one)} limit ${limit}`

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

/** Of the people in these blocks of the table each id with the values of the fields, read in the order in which they lie. */
export async function listValues(db: Db, fields: readonly TextField[], blocks: Blocks): Promise<(string | null)[][]> {
  const columns = fields
    .map((field) => (isCustomName(field) ? db`u.custom_values ->> ${keyOfCustom(field)}` : db`u.${db(COLUMNS[field])}`))
    .reduce((all, one) => db`${all}, ${one}`)
  const [row] = await db<{ rows: (string | null)[][] | null }[]>`
    select json_agg(json_build_array(u.id, ${columns})) as rows from users u
    where ${withinBlocks(db, blocks)} and u.deleted_at is null
      and coalesce(${columns}) is not null`
  return row?.rows ?? []
}
