import type { Language } from '#shared/contract/endpoint.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { localized } from '../../platform/localized.ts'

const MAX_NAMES = 10

/**
 * Ids that applications are granted to: people, categories, and organisations with all their ancestors; roles are derived from them. `by`
 * are those that the person gains, `without` those they had before.
 */
export type MembershipChange = { by: readonly string[]; without: readonly string[] }

/** Applications and roles by name: the first ten, and how many there are in all. */
export type AccessGains = { names: string[]; total: number }

const rolesOf = (db: Db, ids: SqlFragment): SqlFragment => db`array(
  select m.role_id from role_members m where m.user_id = any(${ids})
  union
  select m.role_id from role_member_groups m where m.subject_id = any(${ids}) and m.kind in ('organization', 'category'))`

/**
 * What the ids in the array `of` of the changes `w` are granted and has not expired. Ids are unique across all kinds; the kinds are listed
 * so that the index is used.
 */
const grantsOf = (db: Db, of: SqlFragment, now: Date): SqlFragment => db`
  select w.at, g.application_id, g.valid_from, g.valid_until
  from changes w cross join lateral unnest(${of}) s(id)
    join application_grants g on g.subject_kind in ('role', 'organization', 'category', 'user') and g.subject_id = s.id
  where g.valid_until is null or g.valid_until > ${now}`

/**
 * What `by` grants for longer than `without` does, per change: applications (those open to everybody need no grant) and roles. An expired
 * grant gives nothing; a future one does.
 */
export async function findAccessGains(
  db: Db,
  changes: readonly MembershipChange[],
  { language, now }: { language: Language; now: Date },
): Promise<AccessGains[]> {
  const usedChanges = changes.map((change, at) => ({ at, ...change })).filter(({ by }) => by.length > 0)
  const none = changes.map((): AccessGains => ({ names: [], total: 0 }))
  if (usedChanges.length === 0) return none
  const found = await db<(AccessGains & { at: number })[]>`
    with changes as materialized (
      select w.at, w.by || r.roles as by, w.without || r.former as without, r.roles, r.former
      from jsonb_to_recordset(${JSON.stringify(usedChanges)}::text::jsonb) as w(at int, by uuid[], without uuid[])
        cross join lateral (select ${rolesOf(db, db`w.by`)} as roles, ${rolesOf(db, db`w.without`)} as former) r),
    kept as materialized (${grantsOf(db, db`w.without`, now)}),
    things as (
      select distinct g.at, a.id, ${localized(db, 'a', language)} as name
      from (${grantsOf(db, db`w.by`, now)}) g join applications a on a.id = g.application_id
      where a.type <> 'whitelist' and not a.built_in and a.deleted_at is null and not exists (
        select from kept k where k.at = g.at and k.application_id = g.application_id
          and (k.valid_until is null or k.valid_until >= g.valid_until)
          and (k.valid_from is null or k.valid_from <= coalesce(g.valid_from, ${now})))
      union all
      select w.at, r.id, ${localized(db, 'r', language)}
      from changes w join roles r on r.id = any(w.roles) and r.id <> all(w.former))
    select at, (array_agg(name order by name, id))[1:${MAX_NAMES}] as names, count(*)::int as total from things group by at`
  for (const { at, ...things } of found) none[at] = things
  return none
}
