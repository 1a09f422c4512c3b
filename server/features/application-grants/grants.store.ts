import type { GrantState, SubjectKind } from '#shared/contract/application-grants.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { escapeLike, listPage, type Page, type PageQuery } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import { applicationMatches, applicationName } from './selectable-applications.store.ts'

/** SQL value: is the grant `g` not yet in force, in force, or expired? */
export const grantState = (db: Db, now: Date) => db`
  case when g.valid_until <= ${now} then 'over' when g.valid_from > ${now} then 'waiting' else 'running' end`

export type GrantRow = {
  applicationId: string
  appId: string
  application: string
  applicationState: 0 | 1
  memberId: string
  kind: SubjectKind
  code: string
  member: string
  state: GrantState
  validFrom: Date | null
  validUntil: Date | null
  grantedAt: Date | null
  grantedBy: string | null
  version: number
}

export type GrantFilter = {
  search: string
  applicationId: string | null
  kind: SubjectKind | null
  memberId: string | null
  state: GrantState | null
  /** In force, and ends before this. */
  endsBefore: Date | null
  now: Date
  /** The organisations (an SQL subquery of their ids) to which grants, with those of their people, are limited; null: all grants. */
  part: { organizations: SqlFragment; isSmall: boolean } | null
}

const isInState = (db: Db, state: GrantState, now: Date) =>
  ({
    over: db`g.valid_until <= ${now}`,
    waiting: db`g.valid_from > ${now} and (g.valid_until is null or g.valid_until > ${now})`,
    running: db`(g.valid_from is null or g.valid_from <= ${now}) and (g.valid_until is null or g.valid_until > ${now})`,
  })[state]

/** Matches the subject of the grant `g` by code or name; of people the first thousand by account or pinyin, found by index. */
function memberMatches(db: Db, search: string, part: GrantFilter['part']) {
  if (part) return memberMatchesInScope(db, search)
  const anywhere = `%${escapeLike(search)}%`
  const lower = `${escapeLike(search.toLowerCase())}%`
  const people = db`from users n where n.deleted_at is null`
  const named = (table: SqlFragment) =>
    db`select id from ${table} n where n.code ilike ${anywhere} or n.name ilike ${anywhere}`
  return db`(
    g.subject_kind = 'role' and g.subject_id in (${named(db`roles`)})
    or g.subject_kind = 'organization' and g.subject_id in (${named(db`organizations`)})
    or g.subject_kind = 'category' and g.subject_id in (${named(db`user_categories`)})
    or g.subject_kind = 'user' and g.subject_id in (
      (select n.id ${people} and lower(n.account) like ${lower} limit 1000)
      union (select n.id ${people} and n.name_pinyin like ${lower} limit 1000)
      union (select n.id ${people} and ${search} <> '' and name_grams(n.name) @> name_grams(${search})
        and n.name ilike ${anywhere} limit 1000)))`
}

/** The same, evaluated for each grant and its person `su`, so that nobody else is read. */
function memberMatchesInScope(db: Db, search: string) {
  const anywhere = `%${escapeLike(search)}%`
  const lower = `${escapeLike(search.toLowerCase())}%`
  return db`(
    g.subject_kind = 'organization' and coalesce((
      select n.code ilike ${anywhere} or n.name ilike ${anywhere} from organizations n where n.id = g.subject_id), false)
    or g.subject_kind = 'user' and (lower(su.account) like ${lower} or su.name_pinyin like ${lower} or su.name ilike ${anywhere}))`
}

/**
 * SQL table: the grants to these organisations and to the people in them, who are few. They are read before any other condition is applied,
 * so that the response time never reveals what a filter matches elsewhere.
 */
const grantsInScope = (db: Db, organizations: SqlFragment) => db`(
  select o.* from application_grants o where o.subject_kind = 'organization' and o.subject_id = any(array${organizations})
  union all
  select o.* from users m join application_grants o on o.subject_kind = 'user' and o.subject_id = m.id
  where m.organization_id = any(array${organizations}) and m.deleted_at is null
  offset 0)`

/** Grants `g` with the person `su`, in organisations that the caller may view. */
const scopedGrants = (db: Db, { organizations, isSmall }: NonNullable<GrantFilter['part']>) => db`
  ${isSmall ? grantsInScope(db, organizations) : db`application_grants`} g
    left join users su on g.subject_kind = 'user' and su.id = g.subject_id`

const isInGrantScope = (db: Db, { organizations }: NonNullable<GrantFilter['part']>) => db`
  (g.subject_kind = 'organization' and g.subject_id in ${organizations}
    or g.subject_kind = 'user' and su.deleted_at is null and su.organization_id in ${organizations})`

function matchingGrants(db: Db, filter: GrantFilter) {
  const { search, applicationId, kind, memberId, state, endsBefore, now, part } = filter
  return db`
    from ${part ? scopedGrants(db, part) : db`application_grants g`}
      join applications a on a.id = g.application_id and not a.built_in and a.deleted_at is null
    where ${part && !part.isSmall ? isInGrantScope(db, part) : db`true`}
      ${applicationId ? db`and g.application_id = ${applicationId}` : db``}
      ${kind ? db`and g.subject_kind = ${kind}` : db``}
      ${memberId ? db`and g.subject_id = ${memberId}` : db``}
      ${state ? db`and ${isInState(db, state, now)}` : db``}
      ${endsBefore ? db`and g.valid_until <= ${endsBefore} and ${isInState(db, 'running', now)}` : db``}
      ${search ? db`and (${applicationMatches(db, search)} or ${memberMatches(db, search, part)})` : db``}`
}

export const GRANT_SORTS = ['validUntil', 'grantedAt', 'application'] as const
type GrantSort = (typeof GRANT_SORTS)[number]

/** Each follows an index, including the tie-breakers. */
function orderOf(db: Db, sort: GrantSort, isForward: boolean) {
  const key = (first: SqlFragment) => db`${first}, g.application_id, g.subject_kind, g.subject_id`
  const reversed = (first: SqlFragment) => db`${first}, g.application_id desc, g.subject_kind desc, g.subject_id desc`
  if (sort === 'validUntil') return isForward ? key(db`g.valid_until`) : reversed(db`g.valid_until desc`)
  if (sort === 'application') {
    return isForward
      ? db`a.name, a.id, g.subject_kind, g.subject_id`
      : db`a.name desc, a.id desc, g.subject_kind desc, g.subject_id desc`
  }
  return isForward ? reversed(db`g.granted_at nulls first`) : key(db`g.granted_at desc nulls last`)
}

type Order = { sort: GrantSort; descending: boolean; language: Language }

/** First the page of grants, then its details: names are looked up only for rows that are shown. */
export function pageOfGrants(db: Db, filter: GrantFilter, order: Order, query: PageQuery): Promise<Page<GrantRow>> {
  const from = matchingGrants(db, filter)
  return listPage(db, query, from, ({ bounds, isReversed }) => {
    const by = orderOf(db, order.sort, order.descending === isReversed)
    return db<GrantRow[]>`
      with page as (
        select g.application_id, g.subject_kind, g.subject_id, row_number() over (order by ${by}) as position
        ${from} order by ${by} ${bounds})
      select ${grantColumns(db, filter.now, order.language)}
      from page p join application_grants g
        on (g.application_id, g.subject_kind, g.subject_id) = (p.application_id, p.subject_kind, p.subject_id)
        join applications a on a.id = g.application_id ${memberJoins(db)}
      order by p.position`
  })
}

export async function findGrant(
  db: Db,
  { memberId, kind }: { memberId: string; kind: SubjectKind },
  applicationId: string,
  { now, language }: { now: Date; language: Language },
): Promise<GrantRow | null> {
  const [row] = await db<GrantRow[]>`
    select ${grantColumns(db, now, language)}
    from application_grants g join applications a on a.id = g.application_id and not a.built_in and a.deleted_at is null
      ${memberJoins(db)}
    where g.application_id = ${applicationId} and g.subject_kind = ${kind} and g.subject_id = ${memberId}`
  return row ?? null
}

const memberJoins = (db: Db) => db`
  left join roles sr on g.subject_kind = 'role' and sr.id = g.subject_id
  left join organizations so on g.subject_kind = 'organization' and so.id = g.subject_id
  left join user_categories sc on g.subject_kind = 'category' and sc.id = g.subject_id
  left join users su on g.subject_kind = 'user' and su.id = g.subject_id`

const grantColumns = (db: Db, now: Date, language: Language) => db`
  a.id as application_id, a.app_id, ${applicationName(db, language)} as application,
  a.enabled::int as application_state, g.subject_id as member_id, g.subject_kind as kind,
  coalesce(su.account, sr.code, so.code, sc.code, '') as code,
  coalesce(su.name, ${localized(db, 'sr', language)}, ${localized(db, 'so', language)}, ${localized(db, 'sc', language)}, '')
    as member,
  ${grantState(db, now)} as state, g.valid_from, g.valid_until, g.granted_at,
  (select b.name from users b where b.id = g.granted_by) as granted_by, g.version`

type GrantSubjects = { role: string[]; organization: string[]; category: string[]; user: string[] }
export type GrantReachRow = {
  type: 'system' | 'whitelist'
  running: GrantSubjects
  counts: Record<SubjectKind, number>
  ending: number
}

/** Above this the number of people is not computed. */
const MAX_SUBJECTS = 20_000

/** The subjects of an application's current grants; null: there is no such application. */
export async function findGrantReach(
  db: Db,
  applicationId: string,
  now: Date,
  soon: Date,
): Promise<GrantReachRow | null> {
  const idsOf = (kind: SubjectKind) => db`
    array(select g.subject_id from application_grants g
      where g.application_id = a.id and g.subject_kind = ${kind} and ${isInState(db, 'running', now)} limit ${MAX_SUBJECTS})`
  const countOf = (kind: SubjectKind) => db`
    (select count(*)::int from application_grants g where g.application_id = a.id and g.subject_kind = ${kind})`
  const [row] = await db<GrantReachRow[]>`
    select a.type,
      jsonb_build_object('role', ${idsOf('role')}, 'organization', ${idsOf('organization')},
        'category', ${idsOf('category')}, 'user', ${idsOf('user')}) as running,
      jsonb_build_object('role', ${countOf('role')}, 'organization', ${countOf('organization')},
        'category', ${countOf('category')}, 'user', ${countOf('user')}) as counts,
      (select count(*)::int from application_grants g where g.application_id = a.id and g.valid_until <= ${soon}
        and ${isInState(db, 'running', now)}) as ending
    from applications a where a.id = ${applicationId} and a.deleted_at is null and not a.built_in`
  return row ?? null
}
