import { type Db, isConstraintViolation } from '../../platform/db.ts'

/** Any constant: serialises changes of the tree, so that no two moves create a cycle together. */
const TREE_LOCK = 7_402_142

/** Until the transaction ends, nobody else can change an organisation. */
export async function lockTree(db: Db): Promise<void> {
  await db`select pg_advisory_xact_lock(${TREE_LOCK})`
}

/** Until the transaction ends, every organisation stays in place. Take it before locking people, like `lockTree`. */
export async function lockTreeShared(db: Db): Promise<void> {
  await db`select pg_advisory_xact_lock_shared(${TREE_LOCK})`
}

/** Everything that can be set of an organisation: the content of audit records, and what can be rolled back. */
export type OrganizationSnapshot = {
  code: string
  name: string
  names: Record<string, string>
  parentId: string | null
  attribute: string | null
  position: number
  enabled: boolean
}

export const listSnapshots = (db: Db, ids: readonly string[]) => db<
  (OrganizationSnapshot & { id: string; version: number })[]
>`
  select id, code, name, names, parent_id, attribute, position, enabled, version
  from organizations where id = any(${ids as string[]}::uuid[])`

export async function isCodeTaken(db: Db, code: string, exceptId: string | null): Promise<boolean> {
  const rows = await db`select from organizations where code = ${code} and id is distinct from ${exceptId}`
  return rows.length > 0
}

export async function isKnownAttribute(db: Db, code: string): Promise<boolean> {
  // Locked until the transaction ends, so that nobody deletes it meanwhile.
  const rows = await db`select from organization_attributes where code = ${code} for key share`
  return rows.length > 0
}

type SearchKeys = { pinyin: string; initials: string }
type OrganizationValues = OrganizationSnapshot & { id: string; forms: SearchKeys; now: Date }

export const insertOrganization = (db: Db, row: OrganizationValues & { ancestorIds: string[] }) => db`
  insert into organizations (id, code, name, names, name_pinyin, name_initials, parent_id, ancestor_ids, attribute, position,
    enabled, created_at, updated_at)
  values (${row.id}, ${row.code}, ${row.name}, ${JSON.stringify(row.names)}::text::jsonb, ${row.forms.pinyin}, ${row.forms.initials},
    ${row.parentId}, ${row.ancestorIds}, ${row.attribute}, ${row.position}, ${row.enabled}, ${row.now}, ${row.now})`

/** Everything but the place in the tree. */
export const updateOrganizationValues = (db: Db, row: Omit<OrganizationValues, 'parentId' | 'position'>) => db`
  update organizations set code = ${row.code}, name = ${row.name}, names = ${JSON.stringify(row.names)}::text::jsonb,
    name_pinyin = ${row.forms.pinyin}, name_initials = ${row.forms.initials}, attribute = ${row.attribute},
    enabled = ${row.enabled}, version = version + 1, updated_at = ${row.now}
  where id = ${row.id}`

/** Free positions between two neighbours, so that most moves write one row. */
const POSITION_GAP = 1024

export async function nextPosition(db: Db, parentId: string | null): Promise<number> {
  const [row] = await db<{ position: number }[]>`
    select coalesce(max(position), 0)::int as position from organizations where parent_id is not distinct from ${parentId}`
  return (row?.position ?? 0) + POSITION_GAP
}

/** The sibling right before `id`; null: it is the first. */
export async function findPreviousSibling(db: Db, id: string): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select s.id from organizations o join organizations s on s.parent_id is not distinct from o.parent_id
    where o.id = ${id} and (s.position, s.code) < (o.position, o.code)
    order by s.position desc, s.code desc limit 1`
  return row?.id ?? null
}

/**
 * Allocates a position after the sibling `after` (null: first) below `parentId`, for `id`; if none is free there, all siblings are
 * renumbered. @param refuse throws if they may not be @returns null if `after` is no child of `parentId`
 */
export async function allocatePositionAfter(
  db: Db,
  parentId: string | null,
  after: string | null,
  id: string,
  refuse: () => Promise<void>,
): Promise<number | null> {
  const free = await findFreePosition(db, parentId, after, id)
  if (free === null || free === 'none') {
    if (free === null) return null
    await refuse()
    await db`
      update organizations o set position = n.place * ${POSITION_GAP} from (
        select id, row_number() over (order by position, code) as place from organizations
        where parent_id is not distinct from ${parentId}) n
      where n.id = o.id and o.position <> n.place * ${POSITION_GAP}`
    const then = await findFreePosition(db, parentId, after, id)
    return then === 'none' ? null : then
  }
  return free
}

async function findFreePosition(
  db: Db,
  parentId: string | null,
  after: string | null,
  id: string,
): Promise<number | 'none' | null> {
  const [row] = await db<{ known: boolean; left: number | null; right: number | null }[]>`
    with line as (
      select id, position, lead(position) over (order by position, code) as next
      from organizations where parent_id is not distinct from ${parentId} and id <> ${id})
    select ${after}::uuid is null or exists (select from line where id = ${after}) as known,
      (select position from line where id = ${after}) as left,
      case when ${after}::uuid is null then (select min(position) from line)
        else (select next from line where id = ${after}) end as right`
  if (!row?.known) return null
  const { left, right } = row
  if (right === null) return (left ?? 0) + POSITION_GAP
  if (left === null) return right - POSITION_GAP
  return right - left < 2 ? 'none' : left + Math.floor((right - left) / 2)
}

/** How many levels the subtree of `id` has, including itself. */
export async function countLevels(db: Db, id: string): Promise<number> {
  const [row] = await db<{ levels: number }[]>`
    select max(cardinality(d.ancestor_ids) - cardinality(o.ancestor_ids) + 1)::int as levels
    from organizations o join organizations d on d.ancestor_ids @> array[o.id] where o.id = ${id}`
  return row?.levels ?? 1
}

type SubtreeMove = { id: string; parentId: string | null; ancestorIds: string[]; position: number; now: Date }

/**
 * Moves `id` with all below it under the parent whose own path is `ancestorIds`; updates the paths of the subtree in the same statement.
 */
export async function moveSubtree(db: Db, { id, parentId, ancestorIds, position, now }: SubtreeMove): Promise<void> {
  await db`
    update organizations o set
      ancestor_ids = ${ancestorIds}::uuid[] || o.ancestor_ids[array_position(o.ancestor_ids, ${id}::uuid):],
      parent_id = case when o.id = ${id} then ${parentId}::uuid else o.parent_id end,
      position = case when o.id = ${id} then ${position} else o.position end,
      version = o.version + (o.id = ${id})::int,
      updated_at = case when o.id = ${id} then ${now} else o.updated_at end
    where o.ancestor_ids @> array[${id}::uuid]`
}

type ChildrenMove = { from: string; parentId: string; ancestorIds: string[]; position: number; now: Date }

/** Moves the direct children of `from`, with everything below them, after the children of another organisation. */
export async function moveChildren(
  db: Db,
  { from, parentId, ancestorIds, position, now }: ChildrenMove,
): Promise<void> {
  await db`
    update organizations o set
      ancestor_ids = ${ancestorIds}::uuid[] || o.ancestor_ids[array_position(o.ancestor_ids, ${from}::uuid) + 1:],
      parent_id = case when o.parent_id = ${from} then ${parentId}::uuid else o.parent_id end,
      position = case when o.parent_id = ${from} then ${position} + ${POSITION_GAP} * line.place::int else o.position end,
      version = o.version + (o.parent_id = ${from})::int,
      updated_at = case when o.parent_id = ${from} then ${now} else o.updated_at end
    from (select d.id, rank() over (partition by d.parent_id order by d.position, d.code) - 1 as place
      from organizations d where d.ancestor_ids @> array[${from}::uuid] and d.id <> ${from}) line
    where line.id = o.id`
}

export const listChildIds = async (db: Db, id: string | null): Promise<string[]> =>
  (await db<{ id: string }[]>`select id from organizations where parent_id is not distinct from ${id}`).map(
    (row) => row.id,
  )

/** @returns false if somebody was assigned to it meanwhile; then the transaction must be rolled back */
export async function deleteOrganization(db: Db, id: string): Promise<boolean> {
  try {
    await db`delete from organizations where id = ${id}`
    return true
  } catch (error) {
    if (isConstraintViolation(error, 'reference')) return false
    throw error
  }
}

/** Organisations without search keys: written by hand, or before keys existed. */
export const listWithoutSearchKeys = (db: Db, most: number) => db<{ id: string; name: string }[]>`
  select id, name from organizations where name_pinyin is null limit ${most}`

export const updateSearchKeys = (db: Db, rows: readonly ({ id: string; name: string } & SearchKeys)[]) => db`
  update organizations o set name_pinyin = r.pinyin, name_initials = r.initials
  from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, name text, pinyin text, initials text)
  where o.id = r.id and o.name = r.name`
