import type { listMyApplications, MyApplication } from '#shared/contract/applications.ts'
import type { Input } from '../../platform/http/mount.ts'
import { stretchOf } from '../../platform/list.ts'
import type { Context } from '../../platform/platform.ts'
import { type AuthorisedFilter, type AuthorisedRow, countAuthorised, pageOfAuthorised } from './authorised.store.ts'
import { giverFor } from './grants.service.ts'
import { memberWith } from './member.service.ts'

type Asked = Input<typeof listMyApplications>['query']

/**
 * What was granted to just this member, whatever state it is in.
 * @throws Refusal `application-grant.member-not-found`, also for whom the caller does not administer; `list.too-deep`.
 */
export async function authorisedPage(ctx: Context, memberId: string, query: Asked) {
  const member = await memberWith(ctx, memberId, 'look')
  const filter: AuthorisedFilter = {
    member,
    search: query.search.normalize('NFKC'),
    categoryId: query.categoryId ?? null,
    pcategoryId: query.pcategoryId ?? null,
  }
  const total = await countAuthorised(ctx.db, filter)
  const view = { now: ctx.now(), language: ctx.client.language }
  const rows = await pageOfAuthorised(ctx.db, filter, view, stretchOf(query, total))
  return { records: rows.map((row) => shown(ctx, row)), ...total }
}

function shown(ctx: Context, row: AuthorisedRow): MyApplication {
  const { grantState, validFrom, validUntil, grantedAt, grantedBy, openToAll, version, ...app } = row
  return {
    ...app,
    visitedAt: null,
    keywords: [],
    grant: {
      state: grantState,
      validFrom: validFrom?.toISOString() ?? null,
      validUntil: validUntil?.toISOString() ?? null,
      grantedAt: grantedAt?.toISOString() ?? null,
      grantedBy: giverFor(ctx, grantedBy),
      openToAll,
      version,
    },
  }
}
