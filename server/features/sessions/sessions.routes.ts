import { disownLogin } from '#shared/contract/records.ts'
import {
  confirmLogout,
  endMyLogins,
  endMyOtherLogins,
  kickOut,
  listCurrentLogins,
  listMyLogins,
  loginPc,
  logout,
  reportActivity,
} from '#shared/contract/sessions.ts'
import { ANSWERED, type Api } from '../../platform/http/mount.ts'
import { currentLogins, disown, endMine, endMyOthers, kickOutLogins, myLogins } from './current-logins.service.ts'
import { logOutByGet, logOutByPost } from './logout.service.ts'
import { idleSeconds, redeemHandOver } from './portal-session.service.ts'

export function mountSessions(api: Api): void {
  api.mount(loginPc, (ctx, { body }, { request, reply }) => redeemHandOver(ctx, body.jsessionid, request, reply))
  api.mount(logout, async (ctx, _input, { request, reply }) =>
    (await logOutByGet(ctx, request, reply)) ? ANSWERED : null,
  )
  api.mount(confirmLogout, async (ctx, _input, { request, reply }) =>
    (await logOutByPost(ctx, request, reply)) ? ANSWERED : null,
  )
  api.mount(reportActivity, (ctx, _input, { request }) => idleSeconds(ctx, request))
  api.mount(listMyLogins, (ctx, { query }) => myLogins(ctx, query))
  api.mount(endMyLogins, (ctx, { body }) => endMine(ctx, body.ids))
  api.mount(endMyOtherLogins, (ctx) => endMyOthers(ctx))
  api.mount(disownLogin, (ctx, { body }) => disown(ctx, body))
  api.mount(listCurrentLogins, (ctx, { query }) => currentLogins(ctx, query))
  api.mount(kickOut, (ctx, { body }) => kickOutLogins(ctx, body.ids))
}
