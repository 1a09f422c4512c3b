import { searchEverywhere } from '#shared/contract/global-search.ts'
import type { Api } from '../../platform/http/mount.ts'
import { findEverywhere } from './global-search.service.ts'

export function mountGlobalSearch(api: Api): void {
  api.mount(searchEverywhere, (ctx, { query }) => findEverywhere(ctx, query.search))
}
