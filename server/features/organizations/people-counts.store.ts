import type { Db, SqlFragment } from '../../platform/db.ts'

export type CountKind = 'organization' | 'category' | 'personnel-type'

/** The key that counts people without one. */
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** SQL subquery: `id` and the number of `people` assigned to it, for one kind. */
export const peopleCounts = (db: Db, kind: CountKind): SqlFragment => db`(
  select k.id, sum(k.people)::int as people from (
    select id, people from people_counts where kind = ${kind}
    union all select id, people from people_count_changes where kind = ${kind}) k
  where k.id <> ${NO_ID} group by k.id)`

/** Everybody who is not deleted, with or without an organisation. */
export async function countAllPeople(db: Db): Promise<number> {
  const [row] = await db<{ people: number }[]>`
    select coalesce(sum(people), 0)::int as people from (
      select people from people_counts where kind = 'organization'
      union all select people from people_count_changes where kind = 'organization') k`
  return row?.people ?? 0
}

/** Everybody in these organisations (an SQL subquery of their ids) who is not deleted. */
export async function countPeopleIn(db: Db, organizations: SqlFragment): Promise<number> {
  const [row] = await db<{ people: number }[]>`
    with places as materialized (select distinct p.id from ${organizations} p)
    select coalesce(sum(people), 0)::int as people from (
      select c.people from places p join people_counts c on c.kind = 'organization' and c.id = p.id
      union all
      select c.people from places p join people_count_changes c on c.kind = 'organization' and c.id = p.id) k`
  return row?.people ?? 0
}

/** Everybody in an organisation and below it who is not deleted. */
export const countPeopleWithin = (db: Db, organizationId: string): Promise<number> =>
  countPeopleIn(db, db`(select o.id from organizations o where o.ancestor_ids @> array[${organizationId}::uuid])`)

/** Folds up to `most` changes into the counts. @returns how many there were */
export async function foldChanges(db: Db, most: number): Promise<number> {
  const [row] = await db<{ taken: number }[]>`
    with taken as (
      delete from people_count_changes where number in (
        select number from people_count_changes order by number limit ${most} for update skip locked)
      returning kind, id, people),
    folded as (
      insert into people_counts as c (kind, id, people)
      select kind, id, sum(people) from taken group by kind, id order by kind, id
      on conflict (kind, id) do update set people = c.people + excluded.people)
    select count(*)::int as taken from taken`
  return row?.taken ?? 0
}

/**
 * Counts everybody again, whatever happened before. One statement, so one snapshot: the pending changes of that snapshot are subtracted,
 * because reading adds them.
 */
export async function recount(db: Db): Promise<void> {
  await db`
    with truth as (
      select k.kind, k.id, sum(k.people) as people from (
        select 'organization' as kind, coalesce(organization_id, ${NO_ID}::uuid) as id, count(*) as people
          from users where deleted_at is null group by 2
        union all select 'category', coalesce(category_id, ${NO_ID}::uuid), count(*)
          from users where deleted_at is null group by 2
        union all select 'personnel-type', coalesce(personnel_type_id, ${NO_ID}::uuid), count(*)
          from users where deleted_at is null group by 2
        union all select kind, id, -people from people_count_changes) k
      group by 1, 2),
    gone as (
      delete from people_counts c where not exists (select from truth t where t.kind = c.kind and t.id = c.id))
    insert into people_counts as c (kind, id, people) select kind, id, people from truth order by kind, id
    on conflict (kind, id) do update set people = excluded.people where c.people <> excluded.people`
}
