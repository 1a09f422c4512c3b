import type { listFrozenPeople } from '#shared/contract/account-holds.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { forSuperUsers } from '../access/index.ts'
import { listPeopleAs } from '../people-list/index.ts'
import { listFrozenRows } from './frozen-people.store.ts'

/** People who are frozen or will be, as far as the caller may see. @throws Refusal `list.too-deep`. */
export async function frozenPeoplePage(ctx: Context, query: Input<typeof listFrozenPeople>['query']) {
  const now = ctx.now()
  const { records, ...total } = await listPeopleAs(ctx, query, ({ db }, ids) =>
    listFrozenRows(db, ids, ctx.client.language),
  )
  return {
    records: records.map(({ startsAt, from, until, by, ...row }) => ({
      ...row,
      phase: startsAt <= now ? ('begun' as const) : ('planned' as const),
      from: from.toISOString(),
      until: toIso(until),
      by: forSuperUsers(ctx, by),
    })),
    ...total,
  }
}
