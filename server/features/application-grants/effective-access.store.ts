import type { AccessPath } from '#shared/contract/application-grants.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { listPage, type Page, type PageQuery } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import { type AccountFacts, accountFactColumns } from '../access/index.ts'
import { type LoginHolds, loginHoldColumns } from '../attempts/index.ts'
import { roleSources, type VisibilityCondition } from '../roles/index.ts'
import { grantState } from './grants.store.ts'
import { applicationMatches, applicationName } from './selectable-applications.store.ts'

/**
 * SQL subquery for `cross join lateral`: every subject (`kind`, `id`) whose grants apply to the person `u`, whose department is `o`
 * (left-joined), and how: the same that a hop checks in one comparison.
 */
const reachingSubjects = (db: Db, language: Language, maySee: VisibilityCondition) => db`(
  select 'user' as kind, u.id, null::text as through, null::text as via
  union all
  select 'category', u.category_id, null, null where u.category_id is not null
  union all
  select 'organization', x, 'organization', case when x <> o.id then ${localized(db, 'o', language)} end
  from unnest(o.ancestor_ids) x
  union all
  select 'organization', x, 'secondary-organization',
    case when ${maySee(db`so.id`)} then ${localized(db, 'so', language)} end
  from user_organizations uo join organizations so on so.id = uo.organization_id cross join unnest(so.ancestor_ids) x
  where uo.user_id = u.id and x <> all (coalesce(o.ancestor_ids, '{}'))
  union all
  select 'role', rw.role_id, rw.kind, rw.via from ${roleSources(db, language, maySee)} rw)`

type AccessQuery = { userId: string; now: Date; language: Language; maySee: VisibilityCondition }

/**
 * SQL query: the paths of a person into applications, one row each, with the grant behind it. `offset 0` makes PostgreSQL find the grants
 * by index per subject: reading them all would let the response time reveal their number elsewhere.
 */
const accessPaths = (db: Db, { userId, now, language, maySee }: AccessQuery) => db`
  select g.application_id, p.kind, p.id as subject_id, p.through, p.via, ${grantState(db, now)} as state, g.valid_from, g.valid_until,
    g.granted_at, (select b.name from users b where b.id = g.granted_by) as granted_by,
    case p.kind
      when 'role' then (select ${localized(db, 'r', language)} from roles r where r.id = p.id)
      when 'organization' then (select ${localized(db, 'n', language)} from organizations n
        where n.id = p.id and ${maySee(db`n.id`)})
      when 'category' then (select ${localized(db, 'n', language)} from user_categories n where n.id = p.id)
    end as subject
  from users u left join organizations o on o.id = u.organization_id
    cross join lateral ${reachingSubjects(db, language, maySee)} p
    cross join lateral (
      select * from application_grants b where b.subject_kind = p.kind and b.subject_id = p.id offset 0) g
  where u.id = ${userId}`

/** From JSON, so times are strings. */
export type AccessPathRow = Omit<AccessPath, 'kind'> & { kind: Exclude<AccessPath['kind'], 'whitelist'> }

const pathsAsJson = (db: Db): SqlFragment => db`
  coalesce(jsonb_agg(jsonb_build_object('kind', w.kind, 'subject', w.subject, 'through', w.through, 'via', w.via,
    'state', w.state, 'validFrom', w.valid_from, 'validUntil', w.valid_until, 'grantedAt', w.granted_at,
    'grantedBy', w.granted_by)
    order by w.state = 'running' desc, w.kind, w.subject, w.via) filter (where w.kind is not null), '[]')`

export type AccessRow = {
  applicationId: string
  appId: string
  application: string
  picture: string | null
  state: 0 | 1
  openToAll: boolean
  /** Number of grants: one may apply by several paths. */
  grants: number
  paths: AccessPathRow[]
}

const columns = (db: Db, language: Language) => db`
  a.id as application_id, a.app_id, ${applicationName(db, language)} as application, a.picture,
  a.enabled::int as state, a.type = 'whitelist' as open_to_all,
  count(distinct w.subject_id)::int as grants, ${pathsAsJson(db)} as paths`

type AccessFilter = AccessQuery & {
  search: string
  granted: boolean | null
  /** Whether the account may log in at all. */
  mayLogIn: boolean
  /** The applications that access rules keep the person out of. */
  refusedAppIds: readonly string[]
}

/** Applications `a` with their paths `w`, grouped: those open to all, and those with any path. */
function reachableApplications(db: Db, filter: AccessFilter) {
  const may = db`(${filter.mayLogIn} and a.enabled and a.app_id <> all(${filter.refusedAppIds as string[]}::text[]) and (a.type = 'whitelist' or bool_or(coalesce(w.state = 'running', false))))`
  const { granted } = filter
  return db`
    from applications a left join (${accessPaths(db, filter)}) w on w.application_id = a.id
    where not a.built_in and a.deleted_at is null and ${applicationMatches(db, filter.search)}
      and (a.type = 'whitelist' or w.kind is not null)
    group by a.id
    ${granted === null ? db`` : db`having ${may} = ${granted}`}`
}

export function pageOfReachable(db: Db, filter: AccessFilter, query: PageQuery): Promise<Page<AccessRow>> {
  const from = reachableApplications(db, filter)
  return listPage(
    db,
    query,
    from,
    ({ asc, bounds }) => db<AccessRow[]>`
      select ${columns(db, filter.language)} ${from} order by a.name ${asc}, a.id ${asc} ${bounds}`,
  )
}

/** One application with the paths that grant it; null: there is no such application. */
export async function findAccess(db: Db, asked: AccessQuery, applicationId: string): Promise<AccessRow | null> {
  const [row] = await db<AccessRow[]>`
    select ${columns(db, asked.language)}
    from applications a left join (${accessPaths(db, asked)}) w on w.application_id = a.id
    where a.id = ${applicationId} and not a.built_in and a.deleted_at is null
    group by a.id`
  return row ?? null
}

export type PersonRow = AccountFacts & LoginHolds & { userId: string; account: string; person: string }

/** With the facts that the gate reads about an account. */
export async function findPerson(db: Db, userId: string, visible: SqlFragment, now: Date): Promise<PersonRow | null> {
  const [row] = await db<PersonRow[]>`
    select u.id as user_id, u.account, u.name as person, ${accountFactColumns(db)}, ${loginHoldColumns(db, now)}
    from users u where u.id = ${userId} and u.deleted_at is null and ${visible}`
  return row ?? null
}

export async function countGrantsOf(db: Db, applicationId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select from application_grants where application_id = ${applicationId} limit 10000) g`
  return row?.count ?? 0
}
