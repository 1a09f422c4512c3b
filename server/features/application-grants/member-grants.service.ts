import type { listMyApplications, MyApplication } from '#shared/contract/applications.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { pageWindow } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { visibleGrantor } from './grants.service.ts'
import { getMember } from './member.service.ts'
import {
  countMemberGrants,
  type MemberGrantRow,
  type MemberGrantsFilter,
  pageOfMemberGrants,
} from './member-grants.store.ts'

type MyApplicationsQuery = Input<typeof listMyApplications>['query']

/**
 * Grants to exactly this member, in any state.
 * @throws Refusal `application-grant.member-not-found`, also for one whom the caller does not administer; `list.too-deep`.
 */
export async function memberGrantsPage(ctx: Context, memberId: string, query: MyApplicationsQuery) {
  const member = await getMember(ctx, memberId, 'look')
  const filter: MemberGrantsFilter = {
    member,
    search: query.search.normalize('NFKC'),
    categoryId: query.categoryId ?? null,
    pcategoryId: query.pcategoryId ?? null,
  }
  const total = await countMemberGrants(ctx.db, filter)
  const view = { now: ctx.now(), language: ctx.client.language }
  const rows = await pageOfMemberGrants(ctx.db, filter, view, pageWindow(query, total))
  return { records: rows.map((row) => toMyApplication(ctx, row)), ...total }
}

function toMyApplication(ctx: Context, row: MemberGrantRow): MyApplication {
  const { grantState, validFrom, validUntil, grantedAt, grantedBy, openToAll, version, ...app } = row
  return {
    ...app,
    visitedAt: null,
    keywords: [],
    grant: {
      state: grantState,
      validFrom: toIso(validFrom),
      validUntil: toIso(validUntil),
      grantedAt: toIso(grantedAt),
      grantedBy: visibleGrantor(ctx, grantedBy),
      openToAll,
      version,
    },
  }
}
