import type { listLogoutDeliveries } from '#shared/contract/logout-deliveries.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { listDeliveriesByApplication } from './deliveries.store.ts'

/** Delivery of the logout messages for these sessions, by application; unknown sessions add nothing. */
export const listDeliveries = async (
  ctx: Context,
  { ids }: Input<typeof listLogoutDeliveries>['query'],
): Promise<Output<typeof listLogoutDeliveries>> => await listDeliveriesByApplication(ctx.db, ids, ctx.client.language)
