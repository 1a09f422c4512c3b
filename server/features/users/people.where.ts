import type { PendingQuery, Row } from 'postgres'
import type { UserFilters } from '#shared/contract/users.ts'
import type { Db } from '../../platform/db.ts'
import type { Context } from '../../platform/platform.ts'
import { inScope } from '../administrators/index.ts'
import { byEither, isMeant, type Way } from '../name-search/index.ts'
import { ownPeople, peopleWithin, totalPeople } from '../organizations/index.ts'
import { hasRole, isWithin } from '../roles/index.ts'
import { waysOf } from './people.ways.ts'
import { holds } from './person-states.ts'

type Condition = PendingQuery<Row[]>
/** Wrapped, because a fragment is a promise too: what awaits it sends it as a statement of its own. */
export type Where = {
  /** The table of the people `u`. */
  from: Condition
  /** It holds nobody but the caller's own, who are read one by one. */
  isOwn?: boolean
  condition: Condition
  /** They are so few that all are looked up and sorted. */
  areFew?: boolean
  /** With an organisation: how many are in it and below, not deleted. */
  people?: number | null
}

type Place = Omit<Where, 'from'>

/** So many people are looked up by what selects them; more are met on the way along the order of the list. */
const FEW = 60_000
const MOST_FURTHER = 20_000
const FEW_ELSEWHERE = 5000

/** Who are asked for: those who are not deleted, or those who are. */
const kept = (db: Db, { state }: UserFilters): Condition =>
  state === 'deleted' ? db`u.deleted_at is not null` : db`u.deleted_at is null`

/**
 * Who belongs to the organisations by a further department alone: whose first one leads there is found by that. Each is looked up,
 * as the planner would read everybody.
 */
const membersByPlace = (db: Db, places: Condition, filters: UserFilters) => db<{ id: string }[]>`
  with members as materialized (
    select distinct s.user_id from user_organizations s where s.organization_id in (${places})),
  places as materialized (select p.id from (${places}) as p (id))
  select m.user_id as id from members m
    cross join lateral (select n.organization_id, n.deleted_at from users n where n.id = m.user_id offset 0) u
    left join places p on p.id = u.organization_id where p.id is null and ${kept(db, filters)} order by m.user_id limit ${MOST_FURTHER}`

/** The same of an organisation to which nearly everybody belongs, found among the few who do not. */
const membersFromElsewhere = (db: Db, id: string, filters: UserFilters) => db<{ id: string }[]>`
  select u.id from users u
  where ${kept(db, filters)} and (u.organization_id is null
      or u.organization_id = any(array(select o.id from organizations o where not o.ancestor_ids @> array[${id}::uuid])))
    and exists (select from user_organizations s join organizations o on o.id = s.organization_id
      where s.user_id = u.id and o.ancestor_ids @> array[${id}::uuid])
  order by u.id limit ${MOST_FURTHER}`

/** In the organisation or below it, with the first department or a further one. */
async function within(db: Db, filters: UserFilters, isWalk: boolean): Promise<Place | null> {
  const { organizationId, directOnly } = filters
  if (!organizationId) return null
  const below =
    directOnly === '1'
      ? db`select ${organizationId}::uuid`
      : db`select o.id from organizations o where o.ancestor_ids @> array[${organizationId}::uuid]`
  const first = directOnly === '1' ? null : await peopleWithin(db, organizationId)
  const isMost = first !== null && (await totalPeople(db)) - first <= FEW_ELSEWHERE
  const further = await (isMost
    ? membersFromElsewhere(db, organizationId, filters)
    : membersByPlace(db, below, filters))
  const ids = further.map(({ id }) => id)
  const people = first === null || further.length === MOST_FURTHER ? null : first + ids.length
  const areFew = !isWalk && (people === null || people <= FEW)
  // A list of ids leads along an index, a hashed set is asked of each row: good for the one case each.
  const isThere = areFew ? db`u.organization_id = any(array(${below}))` : db`u.organization_id in (${below})`
  const condition = ids.length > 0 ? db`(${isThere} or u.id = any(${ids}::uuid[]))` : isThere
  return { condition, areFew, people }
}

/** Who has a role, directly or by department or category. */
async function withRole(db: Db, roleId: string | undefined): Promise<Pick<Where, 'condition'> | null> {
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
    ) members limit ${MOST_FURTHER + 1}`
  const few = ids.length <= MOST_FURTHER
  return { condition: few ? db`u.id = any(${ids.map(({ id }) => id)}::uuid[])` : hasThat(db, roleId) }
}

const hasThat = (db: Db, roleId: string): Condition => db`${db.unsafe(hasRole(`'${roleId}'::uuid`))}`

type Options = {
  withoutSearch?: boolean
  /** People are met in the order of the list, not looked up by their organisation. */
  isWalk?: boolean
}

/**
 * Where to find the people whom the filters find, as far as the caller may see: a condition on the person `u`, whose first
 * department is `o`, left-joined. Deleted people only where they are asked for. What was searched for is part of it unless
 * `withoutSearch`.
 */
export async function peopleWhere(ctx: Context, filters: UserFilters, options: Options = {}): Promise<Where> {
  const { db } = ctx
  const { withoutSearch = false, isWalk = false } = options
  const ways = withoutSearch ? null : waysOf(ctx, filters)
  const own = await ownPeople(ctx, { deleted: filters.state === 'deleted' })
  if (own) return { from: own.table, isOwn: true, condition: amongOwn(ctx, filters, ways) }
  const from = db`users`
  if (await isOutOfScope(ctx, filters)) return { from, condition: db`false` }
  const places = await within(db, filters, isWalk)
  const members = await withRole(db, filters.roleId)
  return {
    from,
    areFew: places?.areFew ?? false,
    people: places?.people ?? null,
    condition: db`${ownColumns(ctx, filters, 'all')}
      ${ctx.caller ? db`and ${inLargeScope(ctx)}` : db``}
      ${places ? db`and ${places.condition}` : db``}
      ${members ? db`and ${members.condition}` : db``}
      ${ways ? db`and ${byEither(db, ways)}` : db``}`,
  }
}

/** Nobody is looked up by their organisation where these are a good part of all: a value is asked of each who is met. */
const inLargeScope = (ctx: Context): Condition => ctx.db`coalesce(${inScope(ctx, ctx.db`u.organization_id`)}, false)`

/** An organisation out of scope has nobody, whoever may be below it: it answers as one that isn't there, before anybody is read. */
async function isOutOfScope(ctx: Context, { organizationId }: UserFilters): Promise<boolean> {
  const { db, caller } = ctx
  if (!organizationId || !caller || caller.isSuperUser) return false
  const rows = await db`select where ${inScope(ctx, db`${organizationId}::uuid`)}`
  return rows.length === 0
}

/** Everything is asked of each, and nothing looked up elsewhere. */
const amongOwn = (ctx: Context, filters: UserFilters, ways: readonly Way[] | null): Condition => ctx.db`
  ${ownColumns(ctx, filters, 'own')} and ${ownPlace(ctx, filters)}
  ${filters.roleId ? ctx.db`and ${hasThat(ctx.db, filters.roleId)}` : ctx.db``}
  ${ways ? ctx.db`and ${isMeant(ctx.db, ways)}` : ctx.db``}`

/** Of the caller's own people, those in the organisation; nobody for one out of scope. */
function ownPlace(ctx: Context, { organizationId, directOnly }: UserFilters): Condition {
  const { db } = ctx
  if (!organizationId) return db`true`
  const within =
    directOnly === '1'
      ? db`(u.organization_id = ${organizationId} or coalesce((
          select true from user_organizations s where s.user_id = u.id and s.organization_id = ${organizationId}), false))`
      : db`${db.unsafe(isWithin(`'${organizationId}'::uuid`))}`
  return db`${inScope(ctx, db`${organizationId}::uuid`)} and ${within}`
}

function ownColumns({ db, now }: Context, filters: UserFilters, among: 'own' | 'all'): Condition {
  const { categoryId, personnelNatureId, state, isSuperUser } = filters
  return db`${kept(db, filters)}
    ${categoryId ? db`and u.category_id = ${categoryId}` : db``}
    ${personnelNatureId ? db`and u.personnel_nature_id = ${personnelNatureId}` : db``}
    ${isSuperUser ? db`and ${isSuperUser === '1' ? db`u.is_super_user` : db`not u.is_super_user`}` : db``}
    ${state && state !== 'deleted' ? db`and ${holds(db, state, now(), among)}` : db``}`
}

/** Nothing narrows the list down: everybody who is there. */
export const isUnfiltered = ({ caller }: Context, filters: UserFilters): boolean =>
  caller?.isSuperUser === true && Object.values(filters).every((value) => value === undefined || value === '')

/** One organisation with all below it, and nothing else narrows it down. */
export const isPlaceOnly = ({ caller }: Context, { organizationId, directOnly, ...others }: UserFilters): boolean =>
  caller?.isSuperUser === true &&
  organizationId !== undefined &&
  directOnly !== '1' &&
  Object.values(others).every((value) => value === undefined || value === '')
