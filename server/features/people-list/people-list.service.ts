import type { listUsers, UserFilters, UserRow } from '#shared/contract/users.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { forceCustomPlan } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { generalPage } from './general-page.service.ts'
import { organizationPage } from './organization-page.service.ts'
import { peopleSource } from './people-filter.store.ts'
import { listPeopleRows, type PersonListRow } from './people-list.store.ts'
import { toStandings } from './person-states.store.ts'
import { smallScopePage } from './small-scope-page.service.ts'
import { smallSetPage } from './small-set-page.service.ts'

/**
 * The people that the filters find, as far as the caller may see: each strategy answers null where it does not apply (see
 * `paging.md`). @throws Refusal `list.too-deep`.
 */
export async function listPeople(
  ctx: Context,
  { pageIndex, pageSize, sort, ...filters }: Input<typeof listUsers>['query'],
) {
  return await transaction(ctx, async (inner) => {
    const { db } = inner
    await forceCustomPlan(db)
    const query = { pageIndex, pageSize, sort }
    const { ids, total } =
      (await organizationPage(inner, filters, query)) ??
      (await smallScopePage(inner, filters, query)) ??
      (await smallSetPage(inner, filters, query)) ??
      (await generalPage(inner, filters, query))
    const now = ctx.now()
    const rows = ids.length > 0 ? await listPeopleRows(db, ids, ctx.client.language, now) : []
    return { records: rows.map((row) => toUserRow(row, now)), ...total }
  })
}

function toUserRow(row: PersonListRow, now: Date): UserRow {
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
    standings: toStandings(row, now),
    lastLogin: row.lastLoginAt && { at: row.lastLoginAt.toISOString(), ip: row.lastIp, onCampus: row.lastOnCampus },
    createdAt: row.createdAt.toISOString(),
    deletedAt: toIso(row.deletedAt),
    version,
  }
}

type IdRange = {
  limit: number
  /** Go along the ids, from behind this one. */
  after?: string
}

/** The ids of people that the filters find, at most so many. Inside a transaction. */
export async function listPeopleIds(ctx: Context, filters: UserFilters, { limit, after }: IdRange): Promise<string[]> {
  const { db } = ctx
  await forceCustomPlan(db)
  const { from, condition } = await peopleSource(ctx, filters)
  const rows = await db<{ id: string }[]>`
    select u.id from ${from} u left join organizations o on o.id = u.organization_id
    where ${condition} ${after ? db`and u.id > ${after} order by u.id` : db``} limit ${limit}`
  return rows.map(({ id }) => id)
}
