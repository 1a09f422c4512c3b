import type { Language } from '#shared/contract/endpoint.ts'
import type { ReferenceEntry } from '#shared/contract/reference-data.ts'
import { type Db, isConstraintViolation, type SqlFragment } from '../../platform/db.ts'
import { escapeLike, listPage, type Page, type PageQuery, sortedBy } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import { peopleCounts } from '../organizations/index.ts'

export type ReferenceTable = 'organization_attributes' | 'user_categories' | 'personnel_types'

/** SQL subquery: `key` of an entry and its number of `uses`. */
function usesQuery(db: Db, table: ReferenceTable): SqlFragment {
  if (table === 'organization_attributes') {
    return db`(select attribute as key, count(*)::int as uses from organizations where attribute is not null group by attribute)`
  }
  const kind = table === 'user_categories' ? 'category' : 'personnel-type'
  return db`(select id::text as key, people as uses from ${peopleCounts(db, kind)} p)`
}

const keyOf = (db: Db, table: ReferenceTable): SqlFragment =>
  table === 'organization_attributes' ? db`v.code` : db`v.id::text`

const columns = (db: Db, language: Language): SqlFragment => db`
  v.id, v.code, ${localized(db, 'v', language)} as shown_name, v.name, v.names, v.position, v.version,
  coalesce(used.uses, 0) as uses`

const from = (db: Db, table: ReferenceTable): SqlFragment => db`
  from ${db(table)} v left join ${usesQuery(db, table)} used on used.key = ${keyOf(db, table)}`

function matches(db: Db, search: string): SqlFragment {
  const pattern = `%${escapeLike(search)}%`
  return db`(${search} = '' or v.code ilike ${pattern} or v.name ilike ${pattern}
    or exists (select from jsonb_each_text(v.names) n where n.value ilike ${pattern}))`
}

type EntriesQuery = PageQuery & { search: string; sort: string }

const SORTS = { position: 'v.position', code: 'v.code', uses: 'coalesce(used.uses, 0)' } as const

export function pageOfEntries(
  db: Db,
  table: ReferenceTable,
  language: Language,
  query: EntriesQuery,
): Promise<Page<ReferenceEntry>> {
  const where = matches(db, query.search)
  const sort = { columns: SORTS, sort: query.sort, tieBreaker: 'v.code' }
  return listPage(
    db,
    query,
    db`from ${db(table)} v where ${where}`,
    (order) => db<ReferenceEntry[]>`
      select ${columns(db, language)} ${from(db, table)} where ${where}
      order by ${sortedBy(db, sort, order)} ${order.bounds}`,
  )
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
  select v.id, v.code, ${localized(db, 'v', language)} as name from ${db(table)} v order by v.position, v.code limit ${MAX_OPTIONS}`

/** Until the transaction ends, nobody else can reorder these, or add one. */
export const lockReferenceTable = (db: Db, table: ReferenceTable) =>
  db`select pg_advisory_xact_lock(hashtextextended(${`reference data ${table}`}, 0))`

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

/** Writes entries, new and existing, in the order that a file gives them. */
export async function saveEntries(
  db: Db,
  table: ReferenceTable,
  rows: readonly (ReferenceEntryInput & { position: number })[],
): Promise<void> {
  await db`
    insert into ${db(table)} as t (id, code, name, names, position)
    select r.id, r.code, r.name, r.names, r.position
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, code text, name text, names jsonb, position int)
    on conflict (id) do update set name = excluded.name, names = excluded.names, position = excluded.position,
      version = t.version + 1`
}

/** Adds attributes that organisations use and that have no name yet, as the last ones. */
export async function insertUnknownAttributes(db: Db, codes: readonly string[]): Promise<void> {
  if (codes.length === 0) return
  await db`
    insert into organization_attributes (id, code, name, position)
    select gen_random_uuid(), c.code, c.code,
      (select coalesce(max(position), 0) from organization_attributes) + ${POSITION_STEP} * c.position
    from unnest(${codes as string[]}::text[]) with ordinality c (code, position) on conflict (code) do nothing`
}

export const updateEntry = (
  db: Db,
  table: ReferenceTable,
  { id, name, names }: Omit<ReferenceEntryInput, 'code'>,
) => db`
  update ${db(table)} set name = ${name}, names = ${JSON.stringify(names)}::text::jsonb, version = version + 1 where id = ${id}`

/** Moves an entry right after `after` (null: first) and renumbers all; there are few. */
export const updateEntryPosition = (db: Db, table: ReferenceTable, id: string, after: string | null) => db`
  update ${db(table)} v set position = n.position * ${POSITION_STEP}
  from (
    select e.id, row_number() over (order by
      case when e.id <> ${id} then e.position when a.id is null then -1 else a.position end,
      case when e.id <> ${id} then e.code else coalesce(a.code, '') end,
      e.id = ${id}) as position
    from ${db(table)} e left join ${db(table)} a on a.id = ${after}) n
  where n.id = v.id and v.position <> n.position * ${POSITION_STEP}`

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
  const column = table === 'user_categories' ? db`category_id` : db`personnel_type_id`
  const rows =
    table === 'organization_attributes'
      ? await db`select from organizations where attribute = ${code} limit 1`
      : await db`select from users where deleted_at is null and ${column} = ${id} limit 1`
  return rows.length > 0
}
