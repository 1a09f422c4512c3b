import type { PendingQuery, Row } from 'postgres'
import type { listUsers, UserFilters, UserRow } from '#shared/contract/users.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Input } from '../../platform/http/mount.ts'
import { planEachAnew, stretchOf, type Total } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { smallPart, totalPeople } from '../organizations/index.ts'
import { countPeople, idsByNumber, idsOfPage, lookUpPage, type PersonRowRead, peopleOf } from './people.store.ts'
import { waysOf } from './people.ways.ts'
import { isPlaceOnly, isUnfiltered, peopleWhere, type Where } from './people.where.ts'
import { standingsOf } from './person-states.ts'

/** The people that the filters find, as far as the caller may see. @throws Refusal `list.too-deep`. */
export async function listPeople(
  ctx: Context,
  { pageIndex, pageSize, sort, ...filters }: Input<typeof listUsers>['query'],
) {
  return await transaction(ctx, async (inner) => {
    const { db } = inner
    await planEachAnew(db)
    const query = { pageIndex, pageSize, sort }
    const { ids, total } =
      (await pageOfPlace(inner, filters, query)) ??
      (await pageOfOwn(inner, filters, query)) ??
      (await pageOfFew(inner, filters, query)) ??
      (await pageOfAll(inner, filters, query))
    const now = ctx.now()
    const rows = ids.length > 0 ? await peopleOf(db, ids, ctx.client.language, now) : []
    return { records: rows.map((row) => shownRow(row, now)), ...total }
  })
}

type PageQuery = Pick<Input<typeof listUsers>['query'], 'pageIndex' | 'pageSize' | 'sort'>
type Found = { ids: string[]; total: Total }

/** The size that lists are made for: how far somebody lies apart from the next one who is looked for. */
const DESIGNED_FOR = 1_000_000
/** Rows that may be passed on the way along the order of a list. */
const MOST_PASSED = 5000
/** An organisation with more people than that is so much of the whole that hardly anybody else is passed. */
const LARGE = 200_000

/** Of one organisation the counters know the total; its page is met on the way while that is short, else looked up. */
async function pageOfPlace(ctx: Context, filters: UserFilters, { sort, ...page }: PageQuery): Promise<Found | null> {
  if (!isPlaceOnly(ctx, filters)) return null
  const { db } = ctx
  const walk = await peopleWhere(ctx, filters, { isWalk: true })
  if (!walk.people) return null
  const total = { total: walk.people }
  const stretch = stretchOf(page, total)
  const passed = ((stretch.offset + stretch.limit) * DESIGNED_FOR) / walk.people
  const common = { ways: null, sort, stretch, isUnique: true }
  if (passed <= MOST_PASSED || walk.people > LARGE) {
    return { total, ids: await idsOfPage(db, { ...common, where: walk.condition, areFew: false }) }
  }
  const { condition: where } = await peopleWhere(ctx, filters, {})
  if (sort === 'account') return { total, ids: await idsByNumber(db, where, stretch) }
  return { total, ids: await idsOfPage(db, { ...common, where, areFew: true }) }
}

/** Of the people of a part, who are all read. */
async function pageOfOwn(ctx: Context, filters: UserFilters, query: PageQuery): Promise<Found | null> {
  if (!(await smallPart(ctx))) return null
  const where = await peopleWhere(ctx, filters)
  if (!where.isOwn) return null
  const byNumber = waysOf(ctx, filters)?.find(({ kind }) => kind === 'number')
  return await lookedUp(ctx, { ...where, ...(byNumber && { preferred: byNumber.condition }) }, filters, query)
}

/** Of a few people total and page come together. */
async function pageOfFew(ctx: Context, filters: UserFilters, query: PageQuery): Promise<Found | null> {
  if (!filters.organizationId || filters.search) return null
  const where = await peopleWhere(ctx, filters)
  return where.areFew ? await lookedUp(ctx, where, filters, query) : null
}

async function lookedUp(
  { db }: Context,
  { from, condition: where, preferred = db`true` }: Where & { preferred?: PendingQuery<Row[]> },
  { state }: UserFilters,
  { pageIndex, pageSize, sort }: PageQuery,
): Promise<Found> {
  const { limit, offset } = stretchOf({ pageIndex, pageSize }, { total: 0, totalIsLowerBound: true })
  return await lookUpPage(db, { from, where, preferred, sort, isUnique: state !== 'deleted', limit, offset })
}

async function pageOfAll(ctx: Context, filters: UserFilters, { sort, ...page }: PageQuery): Promise<Found> {
  const found = await peopleWhere(ctx, filters, { withoutSearch: true })
  const { ways, total } = await counted(ctx, filters, found.condition)
  const stretch = stretchOf(page, total)
  const areFew = !isUnfiltered(ctx, filters) && (found.areFew === true || !total.totalIsLowerBound)
  const wanted = { where: found.condition, ways, sort, stretch, areFew, isUnique: filters.state !== 'deleted' }
  return { total, ids: total.total === 0 ? [] : await idsOfPage(ctx.db, wanted) }
}

/** How many there are, and the ways to them. */
async function counted(ctx: Context, filters: UserFilters, where: PendingQuery<Row[]>) {
  const { db } = ctx
  if (isUnfiltered(ctx, filters)) return { ways: null, total: { total: await totalPeople(db) } as Total }
  const ways = waysOf(ctx, filters)
  const numbers = (ways ?? []).filter(({ kind }) => kind === 'number')
  if (ways && numbers.length > 0 && ways.length > 1) {
    // More numbers begin so than a list shows: then these are what is meant.
    const total = await countPeople(db, where, numbers)
    if (total.totalIsLowerBound) return { ways: numbers, total }
  }
  return { ways, total: await countPeople(db, where, ways) }
}

export function shownRow(row: PersonRowRead, now: Date): UserRow {
  const { id, account, name, organization, category, personnelNature, isSuperUser, version } = row
  return {
    id,
    account,
    name,
    organization,
    category,
    personnelNature,
    phone: row.phone && maskPhone(row.phone),
    mailbox: row.mailbox && maskMailbox(row.mailbox),
    isSuperUser,
    standings: standingsOf(row, now),
    lastLogin: row.lastLoginAt && { at: row.lastLoginAt.toISOString(), ip: row.lastIp, onCampus: row.lastOnCampus },
    createdAt: row.createdAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
    version,
  }
}

type Stretch = {
  most: number
  /** Go along the ids, from behind this one. */
  after?: string
}

/** The ids of people that the filters find, at most so many. Inside a transaction. */
export async function foundPeople(ctx: Context, filters: UserFilters, { most, after }: Stretch): Promise<string[]> {
  const { db } = ctx
  await planEachAnew(db)
  const { from, condition } = await peopleWhere(ctx, filters)
  const rows = await db<{ id: string }[]>`
    select u.id from ${from} u left join organizations o on o.id = u.organization_id
    where ${condition} ${after ? db`and u.id > ${after} order by u.id` : db``} limit ${most}`
  return rows.map(({ id }) => id)
}
