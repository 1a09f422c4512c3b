import type { CustomField } from '#shared/contract/custom-fields.ts'
import type { listUsers, UserFilters, UserRow } from '#shared/contract/users.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { forceCustomPlan, type Total } from '../../platform/list.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { customFields } from '../account-fields/index.ts'
import { shownValues } from './details.service.ts'
import { generalPage } from './general-page.service.ts'
import { organizationPage } from './organization-page.service.ts'
import { peopleSource } from './people-filter.store.ts'
import { listPeopleRows, type PersonListRow } from './people-list.store.ts'
import type { PageQuery } from './people-page.types.ts'
import { toPersonStates } from './person-states.store.ts'
import { smallScopePage } from './small-scope-page.service.ts'
import { smallSetPage } from './small-set-page.service.ts'

/**
 * The people that match the filters, as far as the caller may see: each strategy returns null where it does not apply (see `paging.md`).
 * @throws Refusal `list.too-deep`.
 */
export async function listPeople(ctx: Context, query: Input<typeof listUsers>['query']) {
  const now = ctx.now()
  const rows = (inner: Context, ids: string[]) => listPeopleRows(inner.db, ids, ctx.client.language, now)
  const { records, ...total } = await listPeopleAs(ctx, query, rows)
  const custom = await customFields(ctx)
  return { records: records.map((row) => toUserRow(row, custom, now)), ...total }
}

type PeopleQuery = Omit<UserFilters, 'search'> & PageQuery & { search?: string | undefined }

/** The same page with other rows: `loadRows` reads those of the ids, in their order and in the transaction of the page. */
export async function listPeopleAs<Row>(
  ctx: Context,
  { pageIndex, pageSize, sort, ...filters }: PeopleQuery,
  loadRows: (inner: Context, ids: string[]) => Promise<readonly Row[]>,
): Promise<{ records: readonly Row[] } & Total> {
  return await transaction(ctx, async (inner) => {
    await forceCustomPlan(inner.db)
    const query = { pageIndex, pageSize, sort }
    const { ids, total } =
      (await organizationPage(inner, filters, query)) ??
      (await smallScopePage(inner, filters, query)) ??
      (await smallSetPage(inner, filters, query)) ??
      (await generalPage(inner, filters, query))
    return { records: ids.length > 0 ? await loadRows(inner, ids) : [], ...total }
  })
}

function toUserRow(row: PersonListRow, custom: readonly CustomField[], now: Date): UserRow {
  const { id, account, name, organization, category, personnelType, isSuperUser, version } = row
  return {
    id,
    account,
    name,
    organization,
    category,
    personnelType,
    phone: row.phone && maskPhone(row.phone),
    mailbox: row.mailbox && maskMailbox(row.mailbox),
    custom: shownValues(row.customValues, custom, false),
    isSuperUser,
    states: toPersonStates(row, now),
    lastLogin: row.lastLoginAt && { at: row.lastLoginAt.toISOString(), ip: row.lastIp, onCampus: row.lastOnCampus },
    createdAt: row.createdAt.toISOString(),
    deletedAt: toIso(row.deletedAt),
    version,
  }
}

type IdRange = {
  limit: number
  /** In id order, after this one. */
  after?: string
}

/** The ids of people that match the filters, at most `limit`. Inside a transaction. */
export async function listPeopleIds(ctx: Context, filters: UserFilters, { limit, after }: IdRange): Promise<string[]> {
  const { db } = ctx
  await forceCustomPlan(db)
  const { from, condition } = await peopleSource(ctx, filters)
  const rows = await db<{ id: string }[]>`
    select u.id from ${from} u left join organizations o on o.id = u.organization_id
    where ${condition} ${after ? db`and u.id > ${after} order by u.id` : db``} limit ${limit}`
  return rows.map(({ id }) => id)
}
