import type { PendingQuery, Row } from 'postgres'
import type { Language } from '#shared/contract/endpoint.ts'
import type { ReferenceEntry } from '#shared/contract/reference-data.ts'
import { type Db, isConstraintViolation } from '../../platform/db.ts'
import { countUpTo10000, escapeLike, type PageWindow, type Total } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import { peopleCounts } from '../organizations/index.ts'

type Sql = PendingQuery<Row[]>

export type ReferenceTable = 'organization_attributes' | 'user_categories' | 'personnel_natures'

/** SQL subquery: `key` of an entry and its number of `uses`. */
function usesQuery(db: Db, table: ReferenceTable): Sql {
  if (table === 'organization_attributes') {
    return db`(select attribute as key, count(*)::int as uses from organizations where attribute is not null group by attribute)`
  }
  const kind = table === 'user_categories' ? 'category' : 'nature'
  return db`(select id::text as key, people as uses from ${peopleCounts(db, kind)} p)`
}

const keyOf = (db: Db, table: ReferenceTable): Sql =>
  table === 'organization_attributes' ? db`v.code` : db`v.id::text`

const columns = (db: Db, language: Language): Sql => db`
  v.id, v.code, ${localized(db, 'v', language)} as "shownName", v.name, v.names, v.position, v.version,
  coalesce(used.uses, 0) as uses`

const from = (db: Db, table: ReferenceTable): Sql => db`
  from ${db(table)} v left join ${usesQuery(db, table)} used on used.key = ${keyOf(db, table)}`

function matches(db: Db, search: string): Sql {
  const pattern = `%${escapeLike(search)}%`
  return db`(${search} = '' or v.code ilike ${pattern} or v.name ilike ${pattern}
    or exists (select from jsonb_each_text(v.names) n where n.value ilike ${pattern}))`
}

export const countEntries = (db: Db, table: ReferenceTable, search: string): Promise<Total> =>
  countUpTo10000(db, db`select 1 from ${db(table)} v where ${matches(db, search)}`)

type EntriesQuery = { search: string; sort: string; language: Language }

const ORDERS = { position: 'v.position', code: 'v.code', uses: 'coalesce(used.uses, 0)' } as const

export async function pageOfEntries(
  db: Db,
  table: ReferenceTable,
  { search, sort, language }: EntriesQuery,
  { reverse, limit, offset }: PageWindow,
): Promise<ReferenceEntry[]> {
  const key = sort.replace('-', '') as keyof typeof ORDERS
  const direction = sort.startsWith('-') === reverse ? db`asc` : db`desc`
  const rows = await db<ReferenceEntry[]>`
    select ${columns(db, language)} ${from(db, table)} where ${matches(db, search)}
    order by ${db.unsafe(ORDERS[key])} ${direction}, v.code ${direction} limit ${limit} offset ${offset}`
  return reverse ? rows.toReversed() : [...rows]
}

export async function findEntry(
  db: Db,
  table: ReferenceTable,
  id: string,
  language: Language,
): Promise<ReferenceEntry | undefined> {
  const [row] = await db<ReferenceEntry[]>`select ${columns(db, language)} ${from(db, table)} where v.id = ${id}`
  return row
}

const MAX_OPTIONS = 1000

export const listOptions = (db: Db, table: ReferenceTable, language: Language) => db<
  { id: string; code: string; name: string }[]
>`
  select id, code, coalesce(names->>${language}, name) as name from ${db(table)} order by position, code limit ${MAX_OPTIONS}`

/** Until the transaction ends, nobody else can reorder these, or add one. */
export const lockReferenceTable = (db: Db, table: ReferenceTable) =>
  db`select pg_advisory_xact_lock(hashtextextended(${`vocabulary ${table}`}, 0))`

const POSITION_STEP = 1024

type ReferenceEntryInput = { id: string; code: string; name: string; names: Record<string, string> }

/** Adds an entry as the last one. @returns whether the code was free */
export async function insertEntry(
  db: Db,
  table: ReferenceTable,
  { id, code, name, names }: ReferenceEntryInput,
): Promise<boolean> {
  const written = await db`
    insert into ${db(table)} (id, code, name, names, position)
    select ${id}, ${code}, ${name}, ${JSON.stringify(names)}::text::jsonb, coalesce(max(position), 0) + ${POSITION_STEP} from ${db(table)}
    on conflict (code) do nothing`
  return written.count > 0
}

export const updateEntry = (
  db: Db,
  table: ReferenceTable,
  { id, name, names }: Omit<ReferenceEntryInput, 'code'>,
) => db`
  update ${db(table)} set name = ${name}, names = ${JSON.stringify(names)}::text::jsonb, version = version + 1 where id = ${id}`

/** Moves an entry right after `after` (null: first) and renumbers all; there are few. */
export const updateEntryPosition = (db: Db, table: ReferenceTable, id: string, after: string | null) => db`
  update ${db(table)} v set position = n.place * ${POSITION_STEP}
  from (
    select e.id, row_number() over (order by
      case when e.id <> ${id} then e.position when a.id is null then -1 else a.position end,
      case when e.id <> ${id} then e.code else coalesce(a.code, '') end,
      e.id = ${id}) as place
    from ${db(table)} e left join ${db(table)} a on a.id = ${after}) n
  where n.id = v.id and v.position <> n.place * ${POSITION_STEP}`

/** @returns false if something refers to it; then the transaction must be rolled back */
export async function deleteEntry(db: Db, table: ReferenceTable, id: string): Promise<boolean> {
  try {
    await db`delete from ${db(table)} where id = ${id}`
    return true
  } catch (error) {
    if (isConstraintViolation(error, 'reference')) return false
    throw error
  }
}

/** Checks the rows themselves, not the stored counts. */
export async function isUsed(
  db: Db,
  table: ReferenceTable,
  { id, code }: { id: string; code: string },
): Promise<boolean> {
  const column = table === 'user_categories' ? db`category_id` : db`personnel_nature_id`
  const rows =
    table === 'organization_attributes'
      ? await db`select from organizations where attribute = ${code} limit 1`
      : await db`select from users where deleted_at is null and ${column} = ${id} limit 1`
  return rows.length > 0
}
