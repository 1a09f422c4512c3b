import { listMyApplications, type MyApplication, saveAppVisit } from '#shared/contract/applications.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { defineErrors, errors as platformErrors } from '../../platform/errors.ts'
import type { Api, Input } from '../../platform/http/mount.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { inScope } from '../administrators/index.ts'
import { authorisedPage } from '../application-grants/index.ts'
import { clientDetails, recordVisit } from '../records/index.ts'
import { findVisible, isPersonWithin, type MyAppRow, pageOfMyApps } from './my-apps.store.ts'

export const errors = defineErrors({ 'application.not-available': 404 })

/** Three months. */
const RECENT_MS = 92 * 24 * 3_600_000

/** The portal's own list of applications, and the record of opening one from there. */
export function mountMyApps(api: Api): void {
  api.mount(listMyApplications, async (ctx, { query }) => {
    const caller = callerOf(ctx)
    const administers = caller.isSuperUser || caller.powers !== null
    if (query.memberId && administers) return await authorisedPage(ctx, query.memberId, query)
    const userId = query.memberId ?? query.id
    const isOwn = userId === caller.userId && query.id === caller.userId
    if (!isOwn && !(administers && (await maySee(ctx, userId)))) throw platformErrors['permission.denied']()
    return await visiblePage(ctx, userId, query)
  })

  api.mount(saveAppVisit, async (ctx, { body }) => {
    const caller = callerOf(ctx)
    const [application] = await findVisible(ctx.db, caller.userId, body.appId, ctx.now())
    if (!application) throw errors['application.not-available']()
    await recordVisit(ctx, {
      userId: caller.userId,
      applicationId: application.id,
      way: 'portal',
      ssoSessionId: caller.ssoSessionId,
      details: await clientDetails(ctx),
    })
    return null
  })
}

/** Anybody for super users; else who is in an organisation that the caller administers. */
async function maySee(ctx: Context, userId: string): Promise<boolean> {
  if (callerOf(ctx).isSuperUser) return true
  return await isPersonWithin(ctx.db, userId, inScope(ctx, ctx.db`u.organization_id`))
}

async function visiblePage(ctx: Context, userId: string, query: Input<typeof listMyApplications>['query']) {
  const wanted = {
    userId,
    search: query.search,
    categoryId: query.categoryId ?? null,
    pcategoryId: query.pcategoryId ?? null,
    limit: query.pageSize,
    offset: (query.pageIndex - 1) * query.pageSize,
    now: ctx.now(),
    since: new Date(ctx.now().getTime() - RECENT_MS),
  }
  const rows = await pageOfMyApps(ctx.db, wanted)
  // A page beyond the end has no row that could say how many there are.
  const [first] = rows.length > 0 ? rows : await pageOfMyApps(ctx.db, { ...wanted, limit: 1, offset: 0 })
  return { records: rows.map((row) => inLanguage(row, ctx.client.language)), total: first?.total ?? 0 }
}

function inLanguage(row: MyAppRow, language: Language): MyApplication {
  const { appId, names, descriptions, picture, url, categoryId, visitedAt } = row
  const known = [row.name, ...Object.values(names), row.pinyin, row.initials]
  return {
    appId,
    name: names[language] ?? row.name,
    description: descriptions[language] ?? row.description,
    picture,
    url,
    state: 1,
    categoryId,
    categoryName: row.categoryNames?.[language] ?? row.categoryName,
    visitedAt: visitedAt?.toISOString() ?? null,
    keywords: [...new Set(known.filter(Boolean).map((word) => word.toLowerCase()))],
  }
}
