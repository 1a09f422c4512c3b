import type { Language } from '#shared/contract/endpoint.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { listPage, type PageQuery } from '../../platform/list.ts'
import { localized } from '../../platform/localized.ts'
import { type AccountFacts, accountFactColumns, grantHolds } from '../access/index.ts'
import type { PersonAttributes } from '../applications/index.ts'
import { releasedPersonColumns } from '../sessions/index.ts'
import type { PagePosition } from './page-cursor.rules.ts'

/**
 * SQL condition: may the person `u` be released to the application `a`? As at a login: it must be granted to them, and where consent is
 * required they must have given it.
 */
const isReleasable = (db: Db, now: Date): SqlFragment => db`
  (${grantHolds(db, now)} and (a.protocol <> 'oauth2' or a.consent <> 'explicit' or exists (
    select from consents k where k.user_id = u.id and k.application_id = a.id)))`

export type PersonRow = PersonAttributes & AccountFacts & { changedAt: Date }

const personRows = (db: Db, applicationId: string, now: Date, condition: SqlFragment, order: SqlFragment) => db<
  PersonRow[]
>`
  select ${releasedPersonColumns(db)}, u.id as user_id, ${accountFactColumns(db)}, u.updated_at as changed_at
  from users u join applications a on a.id = ${applicationId} left join organizations o on o.id = u.organization_id
    left join user_categories c on c.id = u.category_id left join personnel_types n on n.id = u.personnel_type_id
  where ${condition} and ${isReleasable(db, now)} order by ${order} limit 500`

type PersonKey = { account: string } | { id: string }

export async function findPerson(db: Db, applicationId: string, who: PersonKey, now: Date): Promise<PersonRow | null> {
  const condition = 'id' in who ? db`u.id = ${who.id}` : db`u.account = ${who.account}`
  const [row] = await personRows(db, applicationId, now, db`${condition} and u.deleted_at is null`, db`u.id`)
  return row ?? null
}

/** In the order of `ids`. */
export const findPeopleByIds = (db: Db, applicationId: string, ids: string[], now: Date) =>
  personRows(db, applicationId, now, db`u.id = any(${ids}::uuid[])`, db`array_position(${ids}::uuid[], u.id)`)

/** A person a page may contain, their position in its order, and whether they may be released to the application. */
export type Candidate = { id: string; first: string; second: string; told: boolean }

/** How many people one page examines. An application that is granted to few gets empty pages rather than a search through everybody. */
export const MAX_CANDIDATES = 1000

const listCandidates = (db: Db, applicationId: string, now: Date, candidates: SqlFragment) => db<Candidate[]>`
  select t.id, t.first, t.second, ${isReleasable(db, now)} as told
  from (${candidates}) t join users u on u.id = t.id join applications a on a.id = ${applicationId}
    left join organizations o on o.id = u.organization_id
  order by t.position`

type OrganizationPeopleQuery = { organizationId: string; directOnly: boolean; after: PagePosition | null }

/** By organisation and account, each organisation read from its own section of the index. */
export function listOrganizationCandidates(
  db: Db,
  applicationId: string,
  { organizationId, directOnly, after }: OrganizationPeopleQuery,
  now: Date,
) {
  const organizations = directOnly ? db`s.id = ${organizationId}` : db`s.ancestor_ids @> array[${organizationId}::uuid]`
  const candidates = db`
    select p.id, s.id::text as first, p.account as second, row_number() over (order by s.id, p.account) as position
    from (select s.id from organizations s
      where ${organizations} ${after ? db`and s.id >= ${after.first}::uuid` : db``} order by s.id) s
    cross join lateral (
      select w.id, w.account from users w
      where w.organization_id = s.id and w.deleted_at is null
        ${after ? db`and (s.id <> ${after.first}::uuid or w.account > ${after.second})` : db``}
      order by w.account limit ${MAX_CANDIDATES}) p
    order by s.id, p.account limit ${MAX_CANDIDATES}`
  return listCandidates(db, applicationId, now, candidates)
}

type ChangedPeopleQuery = { since: Date; until: Date; after: PagePosition | null }

export function listChangedCandidates(
  db: Db,
  applicationId: string,
  { since, until, after }: ChangedPeopleQuery,
  now: Date,
) {
  const candidates = db`
    select w.id, w.updated_at::text as first, w.id::text as second, row_number() over (order by w.updated_at, w.id) as position
    from users w
    where w.updated_at <= ${until} and ${
      after
        ? db`(w.updated_at, w.id) > (${after.first}::text::timestamptz, ${after.second}::text::uuid)`
        : db`w.updated_at >= ${since}`
    }
    order by w.updated_at, w.id limit ${MAX_CANDIDATES}`
  return listCandidates(db, applicationId, now, candidates)
}

export async function findOrganization(db: Db, code: string): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`select id from organizations where code = ${code}`
  return row?.id ?? null
}

const childOrganizations = (db: Db, parentId: string | null) =>
  db`from organizations c where ${parentId ? db`c.parent_id = ${parentId}` : db`c.parent_id is null`}`

export type ChildRow = {
  code: string
  name: string
  parentCode: string | null
  attribute: string | null
  enabled: boolean
  hasChildren: boolean
}

export function pageOfChildren(db: Db, parentId: string | null, language: Language, query: PageQuery) {
  const from = childOrganizations(db, parentId)
  return listPage(
    db,
    query,
    from,
    ({ asc, bounds }) => db<ChildRow[]>`
      select c.code, ${localized(db, 'c', language)} as name, p.code as parent_code, c.attribute, c.enabled,
        exists (select from organizations b where b.parent_id = c.id) as has_children
      from (select * ${from} order by c.position ${asc}, c.code ${asc} ${bounds}) c
        left join organizations p on p.id = c.parent_id
      order by c.position ${asc}, c.code ${asc}`,
  )
}
