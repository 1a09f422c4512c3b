import type { listMyApplications, MyApplication } from '#shared/contract/applications.ts'
import type { Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { forSuperUsers } from '../access/index.ts'
import { getMember } from './member.service.ts'
import { type MemberGrantRow, type MemberGrantsFilter, pageOfMemberGrants } from './member-grants.store.ts'

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
  const view = { now: ctx.now(), language: ctx.client.language }
  const page = await pageOfMemberGrants(ctx.db, filter, view, query)
  return { ...page, records: page.records.map((row) => toMyApplication(ctx, row)) }
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
      grantedBy: forSuperUsers(ctx, grantedBy),
      openToAll,
      version,
    },
  }
}
