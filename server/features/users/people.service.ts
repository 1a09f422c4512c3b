import type { PendingQuery, Row } from 'postgres'
import type { listUsers, UserFilters, UserRow } from '#shared/contract/users.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Input } from '../../platform/http/mount.ts'
import { stretchOf, type Total } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { waysToMean } from '../name-search/index.ts'
import { totalPeople } from '../organizations/index.ts'
import { countPeople, idsOfPage, type PersonRowRead, peopleOf, planEachAnew } from './people.store.ts'
import { isUnfiltered, peopleWhere } from './people.where.ts'
import { standingsOf } from './person-states.ts'

/** The people that the filters find, as far as the caller may see. @throws Refusal `list.too-deep`. */
export async function listPeople(
  ctx: Context,
  { pageIndex, pageSize, sort, ...filters }: Input<typeof listUsers>['query'],
) {
  return await transaction(ctx, async (inner) => {
    const { db } = inner
    await planEachAnew(db)
    const found = await peopleWhere(inner, filters, true)
    const { ways, total } = await counted(inner, filters, found.condition)
    const stretch = stretchOf({ pageIndex, pageSize }, total)
    const isWhole = isUnfiltered(inner, filters)
    const areFew = !isWhole && (found.areFew === true || !total.totalIsLowerBound)
    const page = { where: found.condition, ways, sort, stretch, areFew, isUnique: filters.state !== 'deleted' }
    const ids = total.total === 0 ? [] : await idsOfPage(db, page)
    const now = ctx.now()
    const rows = ids.length > 0 ? await peopleOf(db, ids, ctx.client.language, now) : []
    return { records: rows.map((row) => shownRow(row, now)), ...total }
  })
}

/** How many there are, and the ways to them. */
async function counted(ctx: Context, filters: UserFilters, where: PendingQuery<Row[]>) {
  const { db } = ctx
  const { search, searchBy } = filters
  if (isUnfiltered(ctx, filters)) return { ways: null, total: { total: await totalPeople(db) } as Total }
  const ways = search ? waysToMean(db, search, searchBy) : null
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
  const { condition } = await peopleWhere(ctx, filters)
  const rows = await db<{ id: string }[]>`
    select u.id from users u left join organizations o on o.id = u.organization_id
    where ${condition} ${after ? db`and u.id > ${after} order by u.id` : db``} limit ${most}`
  return rows.map(({ id }) => id)
}
