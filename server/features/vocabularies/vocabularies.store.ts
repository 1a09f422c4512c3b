import type { PendingQuery, Row } from 'postgres'
import type { Language } from '#shared/contract/endpoint.ts'
import type { VocabularyEntry } from '#shared/contract/vocabularies.ts'
import { type Db, violates } from '../../platform/db.ts'
import { countUpTo10000, likeLiteral, type Stretch, type Total } from '../../platform/list.ts'
import { peopleBy } from '../organizations/index.ts'

type Sql = PendingQuery<Row[]>

export type VocabularyTable = 'organization_attributes' | 'user_categories' | 'personnel_natures'

/** SQL subquery: `key` of an entry and how many `uses` it has. */
function usesOf(db: Db, table: VocabularyTable): Sql {
  if (table === 'organization_attributes') {
    return db`(select attribute as key, count(*)::int as uses from organizations where attribute is not null group by attribute)`
  }
  const kind = table === 'user_categories' ? 'category' : 'nature'
  return db`(select id::text as key, people as uses from ${peopleBy(db, kind)} p)`
}

const keyOf = (db: Db, table: VocabularyTable): Sql =>
  table === 'organization_attributes' ? db`v.code` : db`v.id::text`

const columns = (db: Db, language: Language): Sql => db`
  v.id, v.code, coalesce(v.names->>${language}, v.name) as "shownName", v.name, v.names, v.position, v.version,
  coalesce(used.uses, 0) as uses`

const from = (db: Db, table: VocabularyTable): Sql => db`
  from ${db(table)} v left join ${usesOf(db, table)} used on used.key = ${keyOf(db, table)}`

function matches(db: Db, search: string): Sql {
  const pattern = `%${likeLiteral(search)}%`
  return db`(${search} = '' or v.code ilike ${pattern} or v.name ilike ${pattern}
    or exists (select from jsonb_each_text(v.names) n where n.value ilike ${pattern}))`
}

export const countEntries = (db: Db, table: VocabularyTable, search: string): Promise<Total> =>
  countUpTo10000(db, db`select 1 from ${db(table)} v where ${matches(db, search)}`)

type Page = { search: string; sort: string; language: Language }

const ORDERS = { position: 'v.position', code: 'v.code', uses: 'coalesce(used.uses, 0)' } as const

export async function pageOfEntries(
  db: Db,
  table: VocabularyTable,
  { search, sort, language }: Page,
  { reverse, limit, offset }: Stretch,
): Promise<VocabularyEntry[]> {
  const key = sort.replace('-', '') as keyof typeof ORDERS
  const way = sort.startsWith('-') === reverse ? db`asc` : db`desc`
  const rows = await db<VocabularyEntry[]>`
    select ${columns(db, language)} ${from(db, table)} where ${matches(db, search)}
    order by ${db.unsafe(ORDERS[key])} ${way}, v.code ${way} limit ${limit} offset ${offset}`
  return reverse ? rows.toReversed() : [...rows]
}

export async function findEntry(
  db: Db,
  table: VocabularyTable,
  id: string,
  language: Language,
): Promise<VocabularyEntry | undefined> {
  const [row] = await db<VocabularyEntry[]>`select ${columns(db, language)} ${from(db, table)} where v.id = ${id}`
  return row
}

const MOST_OPTIONS = 1000

export const optionsOf = (db: Db, table: VocabularyTable, language: Language) => db<
  { id: string; code: string; name: string }[]
>`
  select id, code, coalesce(names->>${language}, name) as name from ${db(table)} order by position, code limit ${MOST_OPTIONS}`

/** Until the transaction ends, nobody else changes the order of these, or adds one. */
export const lockVocabulary = (db: Db, table: VocabularyTable) =>
  db`select pg_advisory_xact_lock(hashtextextended(${`vocabulary ${table}`}, 0))`

const STEP = 1024

type Named = { id: string; code: string; name: string; names: Record<string, string> }

/** Behind all others. @returns whether the code was free. */
export async function insertEntry(db: Db, table: VocabularyTable, { id, code, name, names }: Named): Promise<boolean> {
  const written = await db`
    insert into ${db(table)} (id, code, name, names, position)
    select ${id}, ${code}, ${name}, ${JSON.stringify(names)}::text::jsonb, coalesce(max(position), 0) + ${STEP} from ${db(table)}
    on conflict (code) do nothing`
  return written.count > 0
}

export const updateEntry = (db: Db, table: VocabularyTable, { id, name, names }: Omit<Named, 'code'>) => db`
  update ${db(table)} set name = ${name}, names = ${JSON.stringify(names)}::text::jsonb, version = version + 1 where id = ${id}`

/** Puts an entry right behind `after` (null: first) and numbers all anew; there are few. */
export const placeEntry = (db: Db, table: VocabularyTable, id: string, after: string | null) => db`
  update ${db(table)} v set position = n.place * ${STEP}
  from (
    select e.id, row_number() over (order by
      case when e.id <> ${id} then e.position when a.id is null then -1 else a.position end,
      case when e.id <> ${id} then e.code else coalesce(a.code, '') end,
      e.id = ${id}) as place
    from ${db(table)} e left join ${db(table)} a on a.id = ${after}) n
  where n.id = v.id and v.position <> n.place * ${STEP}`

/** What deleted people were filed under does not keep it. */
export async function forgetInDeleted(db: Db, table: VocabularyTable, id: string): Promise<void> {
  if (table === 'organization_attributes') return
  const column = table === 'user_categories' ? db`category_id` : db`personnel_nature_id`
  await db`update users set ${column} = null where ${column} = ${id} and deleted_at is not null`
}

/** @returns false when something refers to it; then only a rollback is left of the transaction. */
export async function deleteEntry(db: Db, table: VocabularyTable, id: string): Promise<boolean> {
  try {
    await db`delete from ${db(table)} where id = ${id}`
    return true
  } catch (error) {
    if (violates(error, 'reference')) return false
    throw error
  }
}

/** Asked of the rows themselves, not of the kept counts. */
export async function isUsed(
  db: Db,
  table: VocabularyTable,
  { id, code }: { id: string; code: string },
): Promise<boolean> {
  const column = table === 'user_categories' ? db`category_id` : db`personnel_nature_id`
  const rows =
    table === 'organization_attributes'
      ? await db`select from organizations where attribute = ${code} limit 1`
      : await db`select from users where deleted_at is null and ${column} = ${id} limit 1`
  return rows.length > 0
}
