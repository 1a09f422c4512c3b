import { queryOverview } from '#shared/contract/overview.ts'
import type { Api } from '../../platform/http/mount.ts'
import { getOverview } from './overview.service.ts'

export const mountOverview = (api: Api): void => api.mount(queryOverview, (ctx) => getOverview(ctx))
