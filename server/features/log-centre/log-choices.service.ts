import { type listLogApplications, type listLogRanges, PORTAL } from '#shared/contract/log-centre.ts'
import type { Input } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { pageOfApplications, pageOfRanges } from './log-choices.store.ts'

const normalize = (search: string): string => search.normalize('NFKC').trim()

/** The portal comes first: a login without other destination is one to it. @throws Refusal `list.too-deep`. */
export async function applicationChoices(ctx: Context, query: Input<typeof listLogApplications>['query']) {
  const { language } = ctx.client
  const search = normalize(query.search)
  const portal = { id: PORTAL, name: ctx.translate(language, 'records.portal') }
  if (query.id === PORTAL) return { records: [portal], total: 1 }
  const filter = { search, id: query.id ?? null }
  const page = await pageOfApplications(ctx.db, { ...filter, language }, query)
  const isPortal =
    !query.id &&
    query.portal === '1' &&
    query.pageIndex === 1 &&
    portal.name.toLowerCase().includes(search.toLowerCase())
  return { ...page, records: isPortal ? [portal, ...page.records] : page.records }
}

/** @throws Refusal `list.too-deep`. */
export async function rangeChoices(ctx: Context, query: Input<typeof listLogRanges>['query']) {
  return await pageOfRanges(ctx.db, normalize(query.search), query)
}
