import {
  checkChannel as checkCall,
  messageRoutesDetails,
  saveHttpChannel,
  updateMessageRoutes,
} from '#shared/contract/message-routes.ts'
import type { Api } from '../../platform/http/mount.ts'
import { checkChannel } from '../messages/index.ts'
import { changeHttp, changeMessageRoutes, describeMessageRoutes } from './message-routes.service.ts'

export function mountMessageRoutes(api: Api): void {
  api.mount(messageRoutesDetails, (ctx) => describeMessageRoutes(ctx))
  api.mount(updateMessageRoutes, (ctx, { body }) => changeMessageRoutes(ctx, body))
  api.mount(checkCall, (ctx, { body }) => checkChannel(ctx, body))
  api.mount(saveHttpChannel, (ctx, { body }) => changeHttp(ctx, body))
}
