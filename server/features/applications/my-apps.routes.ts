import { listMyApplications, type MyApplication, saveAppVisit } from '#shared/contract/applications.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import type { Api, Input } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { isAdministrator, isPersonVisible, seesEverything } from '../access/index.ts'
import { memberGrantsPage } from '../application-grants/index.ts'
import { loadClientDetails, recordVisit } from '../records/index.ts'
import { requireAvailableApplication } from './available-application.service.ts'
import { type MyAppRow, pageOfMyApps } from './my-apps.store.ts'

/** Three months. */
const RECENT_MS = 92 * 24 * 3_600_000

/** The portal's list of applications, and the record of opening one from there. */
export function mountMyApps(api: Api): void {
  api.mount(listMyApplications, async (ctx, { query }) => {
    const caller = callerOf(ctx)
    const administers = isAdministrator(caller)
    if (query.memberId && administers) return await memberGrantsPage(ctx, query.memberId, query)
    const userId = query.memberId ?? query.id
    const isOwn = userId === caller.userId && query.id === caller.userId
    if (!isOwn && !(administers && (await isPersonInScope(ctx, userId)))) throw platformErrors['permission.denied']()
    return await availablePage(ctx, userId, query)
  })

  api.mount(saveAppVisit, async (ctx, { body }) => {
    const caller = callerOf(ctx)
    const applicationId = await requireAvailableApplication(ctx, body.appId)
    await recordVisit(ctx, {
      userId: caller.userId,
      applicationId,
      entry: 'portal',
      ssoSessionId: caller.ssoSessionId,
      details: await loadClientDetails(ctx),
    })
    return null
  })
}

/** Anybody for super users; otherwise people in an organisation that the caller administers. */
async function isPersonInScope(ctx: Context, userId: string): Promise<boolean> {
  return seesEverything(ctx) || (await isPersonVisible(ctx, userId))
}

async function availablePage(ctx: Context, userId: string, query: Input<typeof listMyApplications>['query']) {
  const filter = {
    userId,
    search: query.search,
    categoryId: query.categoryId ?? null,
    pcategoryId: query.pcategoryId ?? null,
    limit: query.pageSize,
    offset: (query.pageIndex - 1) * query.pageSize,
    now: ctx.now(),
    since: new Date(ctx.now().getTime() - RECENT_MS),
  }
  const rows = await pageOfMyApps(ctx.db, filter)
  // A page beyond the end has no row that carries the total.
  const [first] = rows.length > 0 ? rows : await pageOfMyApps(ctx.db, { ...filter, limit: 1, offset: 0 })
  return { records: rows.map((row) => toMyApplication(row, ctx.client.language)), total: first?.total ?? 0 }
}

function toMyApplication(row: MyAppRow, language: Language): MyApplication {
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
    visitedAt: toIso(visitedAt),
    keywords: [...new Set(known.filter(Boolean).map((word) => word.toLowerCase()))],
  }
}
