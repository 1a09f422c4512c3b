import type { PendingQuery, Row } from 'postgres'
import type { Language } from '#shared/contract/endpoint.ts'
import type { OrganizationDetails, OrganizationFound, OrganizationNode } from '#shared/contract/organizations.ts'
import type { Db } from '../../platform/db.ts'
import { countUpTo10000, likeLiteral, type Stretch, type Total } from '../../platform/list.ts'
import { peopleBy } from './people-counts.store.ts'
import { endingOf, isEnding } from './running-endings.store.ts'

/** Far deeper than any institution. */
export const MOST_LEVELS = 64

type Sql = PendingQuery<Row[]>

/** What the caller sees and may do, as conditions on `o`; `ownTask`: on the background task `t`. */
export type Sight = { language: Language; visible: Sql; top: Sql; mayChange: Sql; mayHold: Sql; ownTask: Sql }

/** SQL value: the name of `row` in a language. */
const nameIn = (db: Db, row: Sql, language: Language): Sql => db`coalesce(${row}.names->>${language}, ${row}.name)`

const nodeColumns = (db: Db, sight: Sight): Sql => db`
  o.id, o.code, ${nameIn(db, db`o`, sight.language)} as name, case when ${sight.top} then null else o.parent_id end as "parentId",
  exists (select from organizations below where below.parent_id = o.id) as "hasChildren", o.enabled, o.attribute, o.version,
  jsonb_build_object('change', ${sight.mayChange}, 'hold', ${sight.mayHold}) as may, ${endingOf(db, sight.ownTask)} as ending`

type Bare = Omit<OrganizationNode, 'people'>

/** Adds to each how many people are in it and below it. */
async function withPeople<Node extends { id: string }>(
  db: Db,
  nodes: readonly Node[],
): Promise<(Node & { people: number })[]> {
  if (nodes.length === 0) return []
  const ids = nodes.map(({ id }) => id)
  const rows = await db<{ id: string; people: number }[]>`
    select a.id, sum(c.people)::int as people
    from organizations d join ${peopleBy(db, 'organization')} c on c.id = d.id cross join unnest(d.ancestor_ids) a (id)
    where d.ancestor_ids && ${ids}::uuid[] and a.id = any(${ids}::uuid[])
    group by a.id`
  const people = new Map(rows.map((row) => [row.id, row.people]))
  return nodes.map((node) => ({ ...node, people: people.get(node.id) ?? 0 }))
}

const childrenOf = (db: Db, sight: Sight, parentId: string | null): Sql =>
  parentId === null
    ? db`from organizations o where ${sight.top}`
    : db`from organizations o where o.parent_id = ${parentId}`

export const countChildren = (db: Db, sight: Sight, parentId: string | null): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${childrenOf(db, sight, parentId)}`)

type Place = Stretch & { after: string | null }

/** The organisations right below `parentId` (null: the tops), in their order; with `after`, those behind that one. */
export async function pageOfChildren(
  db: Db,
  sight: Sight,
  parentId: string | null,
  place: Place,
): Promise<OrganizationNode[]> {
  const { after, reverse, limit, offset } = place
  const way = reverse ? db`desc` : db`asc`
  const behind = after
    ? db`and (o.position, o.code) > (select a.position, a.code from organizations a where a.id = ${after})`
    : db``
  const rows = await db<Bare[]>`
    select ${nodeColumns(db, sight)} ${childrenOf(db, sight, parentId)} ${behind}
    order by o.position ${way}, o.code ${way} limit ${limit} offset ${after ? 0 : offset}`
  return await withPeople(db, reverse ? rows.toReversed() : rows)
}

type Wanted = { search: string; choosable: boolean; attribute: string | null; outside: string | null }

function found(db: Db, sight: Sight, { search, choosable, attribute, outside }: Wanted): Sql {
  const text = likeLiteral(search.toLowerCase())
  // Spaces and signs stand in no pinyin.
  const latin = likeLiteral(search.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
  const part = `%${text}%`
  return db`
    from organizations o
    where ${sight.visible} ${choosable ? db`and o.enabled and ${sight.mayHold} and not ${isEnding(db)}` : db``}
      ${attribute ? db`and o.attribute = ${attribute}` : db``}
      ${outside ? db`and not ${outside}::uuid = any(o.ancestor_ids)` : db``}
      and (${search} = '' or lower(o.code) like ${`${text}%`} or lower(o.name) like ${part}
        or lower(o.names->>'zh_CN') like ${part} or lower(o.names->>'zh_TW') like ${part} or lower(o.names->>'en') like ${part}
        or ${latin} <> '' and (o.name_pinyin like ${`%${latin}%`} or o.name_initials like ${`${latin}%`}))`
}

export const countFound = (db: Db, sight: Sight, wanted: Wanted): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${found(db, sight, wanted)}`)

/** Flat: the exact code first, then names that begin with what was typed, then what stands higher in the tree. */
export async function pageOfFound(
  db: Db,
  sight: Sight,
  wanted: Wanted,
  stretch: Stretch,
): Promise<OrganizationFound[]> {
  const text = wanted.search.toLowerCase()
  const way = stretch.reverse ? db`desc` : db`asc`
  const rows = await db<Omit<OrganizationFound, 'people'>[]>`
    with page as (
      select o.*, row_number() over (order by lower(o.code) <> ${text},
        not ${nameIn(db, db`o`, sight.language)} ilike ${`${likeLiteral(text)}%`}, cardinality(o.ancestor_ids), o.position, o.code) as place
      ${found(db, sight, wanted)} order by place ${way} limit ${stretch.limit} offset ${stretch.offset})
    select ${nodeColumns(db, sight)}, ${pathColumn(db, sight)} as path
    from page o ${LINE(db)} order by o.place ${way}`
  return await withPeople(db, stretch.reverse ? rows.toReversed() : rows)
}

/** SQL value: what stands above `o`, from the top that the caller sees down. */
const pathColumn = (db: Db, sight: Sight): Sql => db`coalesce((
  select jsonb_agg(jsonb_build_object('id', above.id, 'name', ${nameIn(db, db`above`, sight.language)}) order by above.depth)
  from (select o.id, o.name, o.names, cardinality(o.ancestor_ids) as depth from organizations o
    where o.id = any(line.ancestor_ids) and o.id <> line.id and ${sight.visible}) above), '[]')`

const LINE = (db: Db) => db`cross join lateral (select o.id, o.ancestor_ids) line`

/** An organisation and all above it that the caller sees, the top first; nothing when it is not seen itself. */
export async function nodesOnPath(db: Db, sight: Sight, id: string): Promise<OrganizationNode[]> {
  const rows = await db<Bare[]>`
    select ${nodeColumns(db, sight)} from organizations o
    where ${sight.visible} and o.id = any(select unnest(ancestor_ids) from organizations where id = ${id})
    order by cardinality(o.ancestor_ids) limit ${MOST_LEVELS}`
  return rows.at(-1)?.id === id ? await withPeople(db, rows) : []
}

export type DetailsRow = Omit<OrganizationDetails, 'createdAt' | 'updatedAt'> & {
  createdAt: Date
  updatedAt: Date
  ancestorIds: string[]
}

/** An organisation that the caller sees. */
export async function findOrganization(db: Db, sight: Sight, id: string): Promise<DetailsRow | undefined> {
  const [row] = await db<DetailsRow[]>`
    select o.id, o.code, o.name, o.names, case when ${sight.top} then null else o.parent_id end as "parentId", o.attribute,
      o.position, o.enabled, o.version, o.created_at as "createdAt", o.updated_at as "updatedAt", o.ancestor_ids as "ancestorIds",
      jsonb_build_object('change', ${sight.mayChange}, 'hold', ${sight.mayHold}) as may, ${endingOf(db, sight.ownTask)} as ending,
      ${pathColumn(db, sight)} as path,
      (select count(*)::int from organizations below where below.parent_id = o.id) as children,
      (select jsonb_build_object('direct', coalesce(sum(c.people) filter (where c.id = o.id), 0), 'all', coalesce(sum(c.people), 0))
        from organizations below join ${peopleBy(db, 'organization')} c on c.id = below.id
        where below.ancestor_ids @> array[o.id]) as people
    from organizations o ${LINE(db)} where o.id = ${id} and ${sight.visible}`
  return row
}
