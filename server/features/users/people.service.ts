import type { listUsers, UserFilters, UserRow } from '#shared/contract/users.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Input } from '../../platform/http/mount.ts'
import { stretchOf, type Total } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
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
    await planEachAnew(inner.db)
    const { condition: where } = await peopleWhere(inner, filters)
    const isWhole = isUnfiltered(inner, filters)
    const total: Total = isWhole ? { total: await totalPeople(inner.db) } : await countPeople(inner.db, where)
    const stretch = stretchOf({ pageIndex, pageSize }, total)
    const areFew = !isWhole && !total.totalIsLowerBound
    const isUnique = filters.state !== 'deleted'
    const ids = await idsOfPage(inner.db, { where, sort, stretch, areFew, isUnique })
    const now = ctx.now()
    const rows = ids.length > 0 ? await peopleOf(inner.db, ids, ctx.client.language, now) : []
    return { records: rows.map((row) => shownRow(row, now)), ...total }
  })
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
