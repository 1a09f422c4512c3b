import { disownLogin } from '#shared/contract/records.ts'
import {
  confirmLogout,
  endMyLogins,
  endMyOtherLogins,
  kickOut,
  kickOutAll,
  kickOutDeliveries,
  listCurrentLogins,
  listMyLogins,
  loginPc,
  logout,
  reportActivity,
} from '#shared/contract/sessions.ts'
import { type Api, REPLY_SENT } from '../../platform/http/mount.ts'
import {
  disown,
  endOtherLogins,
  endOwnLogins,
  kickOutLogins,
  listAllLogins,
  listOwnLogins,
} from './current-logins.service.ts'
import { deliveriesOfTask, startKickOut } from './kick-out-all.service.ts'
import { logOutByGet, logOutByPost } from './logout.service.ts'
import { recordActivity, redeemExchangeCode } from './portal-session.service.ts'

export function mountSessions(api: Api): void {
  api.mount(loginPc, (ctx, { body }, { request, reply }) => redeemExchangeCode(ctx, body.jsessionid, request, reply))
  api.mount(logout, async (ctx, _input, { request, reply }) =>
    (await logOutByGet(ctx, request, reply)) ? REPLY_SENT : null,
  )
  api.mount(confirmLogout, async (ctx, _input, { request, reply }) =>
    (await logOutByPost(ctx, request, reply)) ? REPLY_SENT : null,
  )
  api.mount(reportActivity, (ctx, _input, { request }) => recordActivity(ctx, request))
  api.mount(listMyLogins, (ctx, { query }) => listOwnLogins(ctx, query))
  api.mount(endMyLogins, (ctx, { body }) => endOwnLogins(ctx, body.ids))
  api.mount(endMyOtherLogins, (ctx) => endOtherLogins(ctx))
  api.mount(disownLogin, (ctx, { body }) => disown(ctx, body))
  api.mount(listCurrentLogins, (ctx, { query }) => listAllLogins(ctx, query))
  api.mount(kickOut, (ctx, { body }) => kickOutLogins(ctx, body.ids))
  api.mount(kickOutAll, (ctx, { body }) => startKickOut(ctx, body))
  api.mount(kickOutDeliveries, (ctx, { query }) => deliveriesOfTask(ctx, query.taskId))
}
