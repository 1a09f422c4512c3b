import type { PendingQuery, Row } from 'postgres'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db } from '../../platform/db.ts'

type Sql = PendingQuery<Row[]>

export const MOST_NAMED = 10

/** SQL query: what people within any of these organisations have by that, as grants with their dates. */
const grantsWithin = (db: Db, ids: readonly string[], now: Date): Sql => db`
  select g.application_id, g.valid_from, g.valid_until from application_grants g
  where g.subject_kind = 'organization' and g.subject_id = any(${ids as string[]}::uuid[])
    and (g.valid_until is null or g.valid_until > ${now})
  union all
  select g.application_id, g.valid_from, g.valid_until
  from role_member_groups m join application_grants g on g.subject_kind = 'role' and g.subject_id = m.role_id
  where m.kind = 'organization' and m.subject_id = any(${ids as string[]}::uuid[])
    and (g.valid_until is null or g.valid_until > ${now})`

const rolesWithin = (db: Db, ids: readonly string[]): Sql => db`
  select role_id from role_member_groups where kind = 'organization' and subject_id = any(${ids as string[]}::uuid[])`

type Way = { by: readonly string[]; without: readonly string[]; language: Language; now: Date }

/** SQL query: the names of applications that grants `by` some organisations give for longer than those of the others do. */
const applicationsBy = (db: Db, { by, without, language, now }: Way): Sql => db`
  select distinct coalesce(a.names->>${language}, a.name) as name, a.id
  from (${grantsWithin(db, by, now)}) c join applications a on a.id = c.application_id
  where a.type <> 'whitelist' and not a.built_in and a.deleted_at is null and not exists (
    select from (${grantsWithin(db, without, now)}) k where k.application_id = c.application_id
      and (k.valid_from is null or k.valid_from <= coalesce(c.valid_from, ${now}))
      and (k.valid_until is null or k.valid_until >= c.valid_until))`

const rolesBy = (db: Db, { by, without, language }: Way): Sql => db`
  select coalesce(r.names->>${language}, r.name) as name, r.id
  from roles r where r.id in (${rolesWithin(db, by)}) and r.id not in (${rolesWithin(db, without)})`

export type Things = { names: string[]; total: number }

async function namedThings(db: Db, way: Way): Promise<Things> {
  if (way.by.length === 0) return { names: [], total: 0 }
  const [row] = await db<Things[]>`
    with things as (${applicationsBy(db, way)} union all ${rolesBy(db, way)})
    select array(select name from things order by name, id limit ${MOST_NAMED}) as names,
      (select count(*)::int from things) as total`
  return row ?? { names: [], total: 0 }
}

type Paths = {
  id: string
  /** Above it, from the top down. */
  from: readonly string[]
  /** Above it after the move. */
  to: readonly string[]
  language: Language
  now: Date
}

/** Applications and roles that whoever is within an organisation gains and loses when it moves. */
export async function effectsOfMove(db: Db, { id, from, to, language, now }: Paths) {
  const [came, left] = [to.filter((one) => !from.includes(one)), from.filter((one) => !to.includes(one))]
  const asked = { language, now }
  return {
    gains: await namedThings(db, { ...asked, by: came, without: [...from, id] }),
    loses: await namedThings(db, { ...asked, by: left, without: [...to, id] }),
  }
}

/** Is anybody in the organisation or below it, with the first department or a further one? */
export async function hasPeopleWithin(db: Db, id: string): Promise<boolean> {
  const below = db`select b.id from organizations b where b.ancestor_ids @> array[${id}::uuid]`
  const [row] = await db<{ some: boolean }[]>`
    select exists (select from users u where u.organization_id in (${below}) and u.deleted_at is null)
      or exists (select from user_organizations s where s.organization_id in (${below})) as some`
  return row?.some ?? false
}
