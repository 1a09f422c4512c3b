import { listLogoutDeliveries } from '#shared/contract/logout-deliveries.ts'
import type { Api } from '../../platform/http/mount.ts'
import { listDeliveries } from './deliveries.service.ts'

export function mountLogoutDeliveries(api: Api): void {
  api.mount(listLogoutDeliveries, (ctx, { query }) => listDeliveries(ctx, query))
}
