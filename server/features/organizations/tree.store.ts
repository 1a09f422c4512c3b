import type { Language } from '#shared/contract/endpoint.ts'
import type { OrganizationDetails, OrganizationFound, OrganizationNode } from '#shared/contract/organizations.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import {
  countUpTo10000,
  escapeLike,
  listPage,
  type Page,
  type PageQuery,
  type PageWindow,
  type Total,
} from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import { peopleCounts } from './people-counts.store.ts'
import { endingColumn, isEnding } from './running-endings.store.ts'

/** Far deeper than any institution. */
export const MAX_LEVELS = 64

/** Without what the owners of its place say. */
export type UnplacedNode = Omit<OrganizationNode, 'may' | 'placedBy'> & { may: Omit<OrganizationNode['may'], 'move'> }
type UnplacedFound = UnplacedNode & Pick<OrganizationFound, 'path'>

/** What the caller sees and may do, as conditions on `o`; `ownTask`: on the background task `t`. */
export type ViewConditions = {
  language: Language
  visible: SqlFragment
  top: SqlFragment
  mayChange: SqlFragment
  mayHold: SqlFragment
  ownTask: SqlFragment
}

const nodeColumns = (db: Db, view: ViewConditions): SqlFragment => db`
  o.id, o.code, ${localized(db, 'o', view.language)} as name, case when ${view.top} then null else o.parent_id end as parent_id,
  exists (select from organizations below where below.parent_id = o.id) as has_children, o.enabled, o.attribute, o.version,
  jsonb_build_object('change', ${view.mayChange}, 'hold', ${view.mayHold}) as may, ${endingColumn(db, view.ownTask)} as ending`

type NodeRow = Omit<UnplacedNode, 'people'>

/** Adds to each the number of people in it and below it. */
async function addPeopleCounts<Node extends { id: string }>(
  db: Db,
  nodes: readonly Node[],
): Promise<(Node & { people: number })[]> {
  if (nodes.length === 0) return []
  const ids = nodes.map(({ id }) => id)
  const rows = await db<{ id: string; people: number }[]>`
    select a.id, sum(c.people)::int as people
    from organizations d join ${peopleCounts(db, 'organization')} c on c.id = d.id cross join unnest(d.ancestor_ids) a (id)
    where d.ancestor_ids && ${ids}::uuid[] and a.id = any(${ids}::uuid[])
    group by a.id`
  const people = new Map(rows.map((row) => [row.id, row.people]))
  return nodes.map((node) => ({ ...node, people: people.get(node.id) ?? 0 }))
}

const childrenFrom = (db: Db, view: ViewConditions, parentId: string | null): SqlFragment =>
  parentId === null
    ? db`from organizations o where ${view.top}`
    : db`from organizations o where o.parent_id = ${parentId}`

export const countChildren = (db: Db, view: ViewConditions, parentId: string | null): Promise<Total> =>
  countUpTo10000(db, db`select 1 ${childrenFrom(db, view, parentId)}`)

type ChildrenWindow = PageWindow & { after: string | null }

/** The children of `parentId` (null: the tops), in their order; with `after`, those after that one. */
export async function pageOfChildren(
  db: Db,
  view: ViewConditions,
  parentId: string | null,
  window: ChildrenWindow,
): Promise<UnplacedNode[]> {
  const { after, reverse, limit, offset } = window
  const direction = reverse ? db`desc` : db`asc`
  const afterCondition = after
    ? db`and (o.position, o.code) > (select a.position, a.code from organizations a where a.id = ${after})`
    : db``
  const rows = await db<NodeRow[]>`
    select ${nodeColumns(db, view)} ${childrenFrom(db, view, parentId)} ${afterCondition}
    order by o.position ${direction}, o.code ${direction} limit ${limit} offset ${after ? 0 : offset}`
  return await addPeopleCounts(db, reverse ? rows.toReversed() : rows)
}

type SearchFilter = { search: string; choosable: boolean; attribute: string | null; outside: string | null }

function searchFrom(
  db: Db,
  view: ViewConditions,
  { search, choosable, attribute, outside }: SearchFilter,
): SqlFragment {
  const text = escapeLike(search.toLowerCase())
  // Pinyin contains no spaces and punctuation.
  const latin = escapeLike(search.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
  const part = `%${text}%`
  return db`
    from organizations o
    where ${view.visible} ${choosable ? db`and o.enabled and ${view.mayHold} and not ${isEnding(db)}` : db``}
      ${attribute ? db`and o.attribute = ${attribute}` : db``}
      ${outside ? db`and not ${outside}::uuid = any(o.ancestor_ids)` : db``}
      and (${search} = '' or lower(o.code) like ${`${text}%`} or lower(o.name) like ${part}
        or lower(o.names->>'zh_CN') like ${part} or lower(o.names->>'zh_TW') like ${part} or lower(o.names->>'en') like ${part}
        or ${latin} <> '' and (o.name_pinyin like ${`%${latin}%`} or o.name_initials like ${`${latin}%`}))`
}

/** A flat list: the exact code first, then names with this prefix, then by height in the tree. */
export async function pageOfSearchResults(
  db: Db,
  view: ViewConditions,
  filter: SearchFilter,
  query: PageQuery,
): Promise<Page<UnplacedFound>> {
  const text = filter.search.toLowerCase()
  const from = searchFrom(db, view, filter)
  const page = await listPage(
    db,
    query,
    from,
    ({ asc, bounds }) => db<Omit<UnplacedFound, 'people'>[]>`
      with page as (
        select o.*, row_number() over (order by lower(o.code) <> ${text},
          not ${localized(db, 'o', view.language)} ilike ${`${escapeLike(text)}%`}, cardinality(o.ancestor_ids), o.position, o.code) as result_rank
        ${from} order by result_rank ${asc} ${bounds})
      select ${nodeColumns(db, view)}, ${pathColumn(db, view)} as path
      from page o ${lineJoin(db)} order by o.result_rank ${asc}`,
  )
  return { ...page, records: await addPeopleCounts(db, page.records) }
}

/** SQL value: the ancestors of `o`, from the top that the caller sees down. */
const pathColumn = (db: Db, view: ViewConditions): SqlFragment => db`coalesce((
  select jsonb_agg(jsonb_build_object('id', above.id, 'name', ${localized(db, 'above', view.language)}) order by above.depth)
  from (select o.id, o.name, o.names, cardinality(o.ancestor_ids) as depth from organizations o
    where o.id = any(line.ancestor_ids) and o.id <> line.id and ${view.visible}) above), '[]')`

const lineJoin = (db: Db) => db`cross join lateral (select o.id, o.ancestor_ids) line`

/** An organisation and all its ancestors that the caller sees, top first; empty if it is not visible itself. */
export async function listPathNodes(db: Db, view: ViewConditions, id: string): Promise<UnplacedNode[]> {
  const rows = await db<NodeRow[]>`
    select ${nodeColumns(db, view)} from organizations o
    where ${view.visible} and o.id = any(select unnest(ancestor_ids) from organizations where id = ${id})
    order by cardinality(o.ancestor_ids) limit ${MAX_LEVELS}`
  return rows.at(-1)?.id === id ? await addPeopleCounts(db, rows) : []
}

export type OrganizationRow = Omit<OrganizationDetails, 'createdAt' | 'updatedAt'> & {
  createdAt: Date
  updatedAt: Date
  ancestorIds: string[]
}

/** An organisation that the caller sees. */
export async function findOrganization(db: Db, view: ViewConditions, id: string): Promise<OrganizationRow | undefined> {
  const [row] = await db<OrganizationRow[]>`
    select o.id, o.code, o.name, o.names, case when ${view.top} then null else o.parent_id end as parent_id, o.attribute,
      o.position, o.enabled, o.version, o.created_at, o.updated_at, o.ancestor_ids,
      jsonb_build_object('change', ${view.mayChange}, 'hold', ${view.mayHold}) as may, ${endingColumn(db, view.ownTask)} as ending,
      ${pathColumn(db, view)} as path,
      (select count(*)::int from organizations below where below.parent_id = o.id) as children,
      (select jsonb_build_object('direct', coalesce(sum(c.people) filter (where c.id = o.id), 0), 'all', coalesce(sum(c.people), 0))
        from organizations below join ${peopleCounts(db, 'organization')} c on c.id = below.id
        where below.ancestor_ids @> array[o.id]) as people
    from organizations o ${lineJoin(db)} where o.id = ${id} and ${view.visible}`
  return row
}
