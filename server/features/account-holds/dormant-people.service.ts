import type { DormantPerson, listDormantPeople } from '#shared/contract/account-holds.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { loadTerms } from '../dormancy/index.ts'
import { listPeopleAs, toExemption } from '../people-list/index.ts'
import { listDormantRows } from './dormant-people.store.ts'

/** People who are dormant, soon will be or are exempt, as far as the caller may see. @throws Refusal `list.too-deep`. */
export async function dormantPeoplePage(ctx: Context, { sort, ...query }: Input<typeof listDormantPeople>['query']) {
  const terms = await loadTerms(ctx, ctx.now())
  // Where no dormancy date exists, there is nothing else to sort by.
  const byNumber = sort === '-dormantSince' ? '-account' : 'account'
  const order = query.dormancy !== 'dormant' && sort.endsWith('dormantSince') ? byNumber : sort
  const { records, ...total } = await listPeopleAs(ctx, { ...query, sort: order }, ({ db }, ids) =>
    listDormantRows(db, ids, ctx.client.language, terms),
  )
  return {
    records: records.map(
      ({ lastLoginAt, dormantSince, nextAt, isExempt, exemptUntil, ...person }): DormantPerson => ({
        ...person,
        lastLogin: toIso(lastLoginAt),
        dormantSince: toIso(dormantSince),
        next: nextAt && { term: dormantSince ? 'lock' : 'dormant', at: nextAt.toISOString() },
        exemption: toExemption({ isExempt, exemptUntil }),
      }),
    ),
    ...total,
  }
}
