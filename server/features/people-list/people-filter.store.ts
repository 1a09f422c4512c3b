import { customFilter, type UserFilters } from '#shared/contract/users.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import type { Context } from '../../platform/platform.ts'
import { hasLimitedScope, hasRole, inScope, isOrganizationVisible, isWithin, mayManage } from '../access/index.ts'
import { customFields } from '../account-fields/index.ts'
import { loadTerms, type Terms } from '../dormancy/index.ts'
import {
  exactPredicates,
  matchesAny,
  rowMatchesAny,
  type SearchPredicate,
  searchPredicates,
} from '../name-search/index.ts'
import { countAllPeople, countPeopleWithin, peopleInSmallScope } from '../organizations/index.ts'
import {
  dormancyCondition,
  freezeCauseCondition,
  freezeCondition,
  lockedByCondition,
  neverLoggedInCondition,
  stateCondition,
} from './person-states.store.ts'

type Condition = SqlFragment
/** Wrapped, because a fragment is also a promise: awaiting it would send it as a statement. */
export type PeopleSource = {
  /** The table of the people `u`. */
  from: Condition
  condition: Condition
  /** They are so few that all are looked up and sorted. */
  isSmallSet?: boolean
  /** For an organisation: the number of people in it and below, not deleted. */
  people?: number | null
}

type OrganizationCondition = Omit<PeopleSource, 'from'>

/** Up to this many people are looked up by the filter; more are found by following the sort order. */
const MAX_LOOKED_UP = 60_000
const MAX_SECONDARY_MEMBERS = 20_000
const MAX_OUTSIDE = 5000

/** People who are not deleted, or only those who are. */
const deletedCondition = (db: Db, { state }: UserFilters): Condition =>
  state === 'deleted' ? db`u.deleted_at is not null` : db`u.deleted_at is null`

/**
 * People who belong to the organisations only by a secondary department; the first one is checked separately. Each is looked up, because
 * the planner would read everybody.
 */
const listSecondaryMembers = (db: Db, places: Condition, filters: UserFilters) => db<{ id: string }[]>`
  with members as materialized (
    select distinct s.user_id from user_organizations s where s.organization_id in (${places})),
  places as materialized (select p.id from (${places}) as p (id))
  select m.user_id as id from members m
    cross join lateral (select n.organization_id, n.deleted_at from users n where n.id = m.user_id offset 0) u
    left join places p on p.id = u.organization_id where p.id is null and ${deletedCondition(db, filters)} order by m.user_id limit ${MAX_SECONDARY_MEMBERS}`

/** The same for an organisation to which nearly everybody belongs, searched among the few who do not. */
const listSecondaryMembersFromOutside = (db: Db, id: string, filters: UserFilters) => db<{ id: string }[]>`
  select u.id from users u
  where ${deletedCondition(db, filters)} and (u.organization_id is null
      or u.organization_id = any(array(select o.id from organizations o where not o.ancestor_ids @> array[${id}::uuid])))
    and exists (select from user_organizations s join organizations o on o.id = s.organization_id
      where s.user_id = u.id and o.ancestor_ids @> array[${id}::uuid])
  order by u.id limit ${MAX_SECONDARY_MEMBERS}`

/** In the organisation or below it, by the first department or a secondary one. */
async function organizationCondition(
  db: Db,
  filters: UserFilters,
  inSortOrder: boolean,
): Promise<OrganizationCondition | null> {
  const { organizationId, directOnly } = filters
  if (!organizationId) return null
  const below =
    directOnly === '1'
      ? db`select ${organizationId}::uuid`
      : db`select o.id from organizations o where o.ancestor_ids @> array[${organizationId}::uuid]`
  const first = directOnly === '1' ? null : await countPeopleWithin(db, organizationId)
  const isMost = first !== null && (await countAllPeople(db)) - first <= MAX_OUTSIDE
  const secondary = await (isMost
    ? listSecondaryMembersFromOutside(db, organizationId, filters)
    : listSecondaryMembers(db, below, filters))
  const ids = secondary.map(({ id }) => id)
  const people = first === null || secondary.length === MAX_SECONDARY_MEMBERS ? null : first + ids.length
  const isSmallSet = !inSortOrder && (people === null || people <= MAX_LOOKED_UP)
  // An array of ids uses an index, a hashed set is checked per row: each suits one of the two cases.
  const isThere = isSmallSet ? db`u.organization_id = any(array(${below}))` : db`u.organization_id in (${below})`
  const condition = ids.length > 0 ? db`(${isThere} or u.id = any(${ids}::uuid[]))` : isThere
  return { condition, isSmallSet, people }
}

/** People with a role, directly or by department or category. */
async function roleCondition(db: Db, roleId: string | undefined): Promise<Pick<PeopleSource, 'condition'> | null> {
  if (!roleId) return null
  const ids = await db<{ id: string }[]>`
    select id from (
      select m.user_id as id from role_members m where m.role_id = ${roleId}
      union all
      select u.id from role_member_groups g join users u on u.category_id = g.subject_id
        where g.role_id = ${roleId} and g.kind = 'category'
      union all
      select u.id from role_member_groups g join organizations o on o.ancestor_ids @> array[g.subject_id]
        join users u on u.organization_id = o.id where g.role_id = ${roleId} and g.kind = 'organization'
      union all
      select s.user_id from role_member_groups g join organizations o on o.ancestor_ids @> array[g.subject_id]
        join user_organizations s on s.organization_id = o.id where g.role_id = ${roleId} and g.kind = 'organization'
    ) members limit ${MAX_SECONDARY_MEMBERS + 1}`
  const few = ids.length <= MAX_SECONDARY_MEMBERS
  return { condition: few ? db`u.id = any(${ids.map(({ id }) => id)}::uuid[])` : hasRole(db, roleId) }
}

type PeopleSourceOptions = {
  withoutSearch?: boolean
  /** People are read in the order of the list, not looked up by their organisation. */
  inSortOrder?: boolean
}

/**
 * The source of the people that match the filters, as far as the caller may see: a condition on the person `u`, whose first department is
 * `o`, left-joined. Deleted people only if asked for. Includes the search unless `withoutSearch`.
 */
export async function peopleSource(
  ctx: Context,
  filters: UserFilters,
  options: PeopleSourceOptions = {},
): Promise<PeopleSource> {
  const { db } = ctx
  const { withoutSearch = false, inSortOrder = false } = options
  const own = await smallScopeSource(ctx, filters, options)
  if (own) return own
  const predicates = withoutSearch ? null : searchPredicatesFor(ctx, filters)
  const terms = await loadSoonTerms(ctx, filters)
  const custom = await customCondition(ctx, filters, 'all')
  const from = db`users`
  if (await isOutOfScope(ctx, filters)) return { from, condition: db`false` }
  const places = await organizationCondition(db, filters, inSortOrder)
  const members = await roleCondition(db, filters.roleId)
  return {
    from,
    isSmallSet: places?.isSmallSet ?? false,
    people: places?.people ?? null,
    condition: db`${columnConditions(ctx, filters, 'all')} ${dormancyConditions(ctx, filters, inSortOrder ? 'own' : 'all', terms)}
      ${ctx.caller ? db`and ${scopeCondition(ctx)}` : db``}
      ${places ? db`and ${places.condition}` : db``}
      ${members ? db`and ${members.condition}` : db``} ${custom.condition}
      ${predicates ? db`and ${matchesAny(db, predicates)}` : db``}`,
  }
}

/**
 * People with exactly these values; nobody for an unknown field. By a sensitive field only those whom the caller may change: otherwise
 * guessing would reveal it. In a small scope the condition is checked per person, as that source lacks the column.
 */
async function customCondition(
  ctx: Context,
  { custom }: UserFilters,
  lookup: 'own' | 'all',
): Promise<Pick<PeopleSource, 'condition'>> {
  const { db, caller } = ctx
  const entered = customFilter(custom)
  if (entered.length === 0) return { condition: db`` }
  const known = await customFields(ctx)
  const fields = entered.map(([key]) => known.find((field) => field.key === key))
  if (fields.includes(undefined)) return { condition: db`and false` }
  const values = JSON.stringify(Object.fromEntries(entered))
  const has =
    lookup === 'all'
      ? db`u.custom_values @> ${values}::text::jsonb`
      : db`coalesce((select v.custom_values @> ${values}::text::jsonb from users v where v.id = u.id), false)`
  const isSensitive = fields.some((field) => field?.isSensitive)
  return {
    condition: isSensitive && !caller?.isSuperUser ? db`and ${has} and ${mayManage(ctx, 'edit')}` : db`and ${has}`,
  }
}

/** A scalar value, checked per row: if the scope covers a good part of all, nobody should be looked up by organisation. */
const scopeCondition = (ctx: Context): Condition => ctx.db`coalesce(${inScope(ctx, ctx.db`u.organization_id`)}, false)`

/** An organisation out of scope has no matches, whoever may be below it: answered as one that doesn't exist, before anybody is read. */
async function isOutOfScope(ctx: Context, { organizationId }: UserFilters): Promise<boolean> {
  return organizationId !== undefined && ctx.caller !== null && !(await isOrganizationVisible(ctx, organizationId))
}

/** The same if all of the caller's people are read; null if they are looked up among everybody. */
export async function smallScopeSource(
  ctx: Context,
  filters: UserFilters,
  { withoutSearch = false }: PeopleSourceOptions = {},
): Promise<PeopleSource | null> {
  const own = await peopleInSmallScope(ctx, {
    deleted: filters.state === 'deleted',
    exempt: filters.dormancy === 'exempt',
  })
  if (!own) return null
  const predicates = withoutSearch ? null : searchPredicatesFor(ctx, filters)
  const terms = await loadSoonTerms(ctx, filters)
  const custom = await customCondition(ctx, filters, 'own')
  return {
    from: own.table,
    condition: ctx.db`${smallScopeCondition(ctx, filters, predicates)} ${dormancyConditions(ctx, filters, 'own', terms)}
      ${custom.condition}`,
  }
}

/** Every condition is checked per row, and nothing is looked up elsewhere. */
const smallScopeCondition = (
  ctx: Context,
  filters: UserFilters,
  predicates: readonly SearchPredicate[] | null,
): Condition => ctx.db`
  ${columnConditions(ctx, filters, 'own')} and ${smallScopeOrganization(ctx, filters)}
  ${filters.roleId ? ctx.db`and ${hasRole(ctx.db, filters.roleId)}` : ctx.db``}
  ${predicates ? ctx.db`and ${rowMatchesAny(ctx.db, predicates)}` : ctx.db``}`

/** Of the caller's people, those in the organisation; nobody for one out of scope. */
function smallScopeOrganization(ctx: Context, { organizationId, directOnly }: UserFilters): Condition {
  const { db } = ctx
  if (!organizationId) return db`true`
  const isWithinOrganization =
    directOnly === '1'
      ? db`(u.organization_id = ${organizationId} or coalesce((
          select true from user_organizations s where s.user_id = u.id and s.organization_id = ${organizationId}), false))`
      : isWithin(db, organizationId)
  return db`${inScope(ctx, db`${organizationId}::uuid`)} and ${isWithinOrganization}`
}

function columnConditions({ db, now }: Context, filters: UserFilters, lookup: 'own' | 'all'): Condition {
  const { categoryId, personnelTypeId, state, lockedBy, freeze, freezeCause, isSuperUser } = filters
  return db`${deletedCondition(db, filters)}
    ${categoryId ? db`and u.category_id = ${categoryId}` : db``}
    ${personnelTypeId ? db`and u.personnel_type_id = ${personnelTypeId}` : db``}
    ${isSuperUser ? db`and ${isSuperUser === '1' ? db`u.is_super_user` : db`not u.is_super_user`}` : db``}
    ${state && state !== 'deleted' ? db`and ${stateCondition(db, state, now(), lookup)}` : db``}
    ${lockedBy ? db`and ${lockedByCondition(db, lockedBy, now(), lookup)}` : db``}
    ${freeze ? db`and ${freezeCondition(db, freeze, now())}` : db``}
    ${freezeCause ? db`and ${freezeCauseCondition(db, freezeCause)}` : db``}`
}

/** The terms that decide who is soon dormant; null: not filtered by that. */
const loadSoonTerms = async (ctx: Context, { dormancy }: UserFilters): Promise<Terms | null> =>
  dormancy === 'soon' ? await loadTerms(ctx, ctx.now()) : null

function dormancyConditions(
  { db, now }: Context,
  { dormancy: phase, dormantFrom, dormantTo, neverLoggedIn }: UserFilters,
  lookup: 'own' | 'all',
  terms: Terms | null,
): Condition {
  const never = neverLoggedInCondition(db, lookup, phase)
  return db`${phase ? db`and ${dormancyCondition(db, { phase, terms, now: now() }, lookup)}` : db``}
    ${dormantFrom ? db`and u.dormant_since >= ${dormantFrom}` : db``}
    ${dormantTo ? db`and u.dormant_since < ${dormantTo}` : db``}
    ${neverLoggedIn ? db`and ${neverLoggedIn === '1' ? never : db`not ${never}`}` : db``}`
}

/** No filter is set: everybody. */
export const isUnfiltered = ({ caller }: Context, filters: UserFilters): boolean =>
  caller?.isSuperUser === true && Object.values(filters).every((value) => value === undefined || value === '')

/** Only one organisation, with all below it. */
export const isOrganizationOnly = (
  { caller }: Context,
  { organizationId, directOnly, ...others }: UserFilters,
): boolean =>
  caller?.isSuperUser === true &&
  organizationId !== undefined &&
  directOnly !== '1' &&
  Object.values(others).every((value) => value === undefined || value === '')

/**
 * The predicates of a search; null without one. Phones and mailboxes match only people whom the caller may change: those of others are
 * shown masked, and searching prefix by prefix would reveal them.
 */
export function searchPredicatesFor(ctx: Context, { search, searchBy }: UserFilters): SearchPredicate[] | null {
  return search ? asSearchable(ctx, searchPredicates(ctx.db, search, searchBy)) : null
}

/** The same for exact matches of account, phone or mailbox; none without a search. */
export const exactPredicatesFor = (ctx: Context, { search, searchBy }: UserFilters): SearchPredicate[] =>
  search ? asSearchable(ctx, exactPredicates(ctx.db, search, searchBy)) : []

/** Values that lists mask or omit. */
const CONTACT_KINDS: readonly SearchPredicate['kind'][] = ['phone', 'mailbox', 'alias']

function asSearchable(ctx: Context, predicates: SearchPredicate[]): SearchPredicate[] {
  const { db } = ctx
  if (!hasLimitedScope(ctx)) return predicates
  const mayEdit = mayManage(ctx, 'edit')
  return predicates.map((predicate) =>
    CONTACT_KINDS.includes(predicate.kind)
      ? { ...predicate, condition: db`(${predicate.condition} and ${mayEdit})` }
      : predicate,
  )
}
