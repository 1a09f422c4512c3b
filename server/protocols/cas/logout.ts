import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderLightPage } from '../../features/appearance/index.ts'
import { type Application, findApplicationByService, isRegisteredOrigin } from '../../features/applications/index.ts'
import { clearPortalCookie, clearSsoCookie, endSsoSessions, ssoSessionOf } from '../../features/sessions/index.ts'
import { takeFrontChannelLogouts } from '../../features/single-logout/index.ts'
import { isCrossSite, isFetchedAhead } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { LOGIN_PATH, LOGOUT_PATH, labelOf, renderConfirmLogout, renderNotice } from './pages.ts'
import { addressWith, flag, headerAddress, text } from './parameters.ts'

/** Single logout in the browser gets this long before the person is led on. */
const FRONT_CHANNEL_SECONDS = 5

type Next = { service: string; application: Application } | null

/**
 * /logout (protocol section 7): ends the sign-on session everywhere and leads on to `service`, if that is registered; `url` is
 * ignored. Without a session it does the same, so that it may be asked twice. Somebody else's page can't set it off unseen.
 */
export async function logOut(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const next = await nextOf(ctx, request)
  if (!(await isMeant(ctx, request))) return ask(ctx, exchange, next)
  const session = await ssoSessionOf(ctx, request, null)
  if (session) await endSsoSessions(ctx, { ids: [session.id] }, 'logout')
  clearSsoCookie(ctx.config, reply)
  clearPortalCookie(ctx.config, reply)
  reply.header('clear-site-data', '"cache"')
  // Also of a session that the portal has just ended: its browser comes here for these.
  const urls = session ? await takeFrontChannelLogouts(ctx, session.id) : []
  if (urls.length > 0) return renderFrontLogout(ctx, exchange, urls, next)
  if (next) return reply.redirect(headerAddress(next.service), 302)
  return renderNotice(ctx, exchange, {
    name: 'signed-out',
    self: LOGOUT_PATH,
    actions: [{ text: { key: 'notice.to-login' }, href: LOGIN_PATH, primary: true }],
  })
}

async function nextOf(ctx: Context, request: FastifyRequest): Promise<Next> {
  const service = text(request.query, 'service') ?? text(request.body, 'service')
  const application = service === null ? null : await findApplicationByService(ctx, service)
  return service !== null && application?.enabled ? { service, application } : null
}

/**
 * Did the person, or an application that the person is in, ask for this? Our own pages, a typed address and a script (which
 * sends no header of a browser) did. Another site did when it is a registered application that navigated here: a browser
 * names it in `Referer`, which no page can forge. Anything else, a picture or a prefetch among it, is asked about.
 */
async function isMeant(ctx: Context, request: FastifyRequest): Promise<boolean> {
  const { headers } = request
  if (isFetchedAhead(request) || flag(request.query, 'ask')) return false
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined && destination !== 'document' && destination !== 'empty') return false
  const referrer = originOf(headers.referer)
  const metadata = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
  const foreign = metadata ? isCrossSite(request, ctx.config.publicUrl) : isForeign(referrer, ctx.config.publicUrl)
  if (!foreign) return true
  if (request.method !== 'GET' || destination === 'empty' || referrer === null) return false
  return isRegisteredOrigin(ctx, referrer)
}

const originOf = (address: string | undefined): string | null =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : null

/** For browsers that send no fetch metadata. */
const isForeign = (referrer: string | null, publicUrl: string) => referrer !== null && referrer !== publicUrl

function ask(ctx: Context, exchange: Exchange, next: Next): Promise<FastifyReply> {
  const service = next?.service ?? null
  const href = addressWith(LOGOUT_PATH, { service, renew: false, gateway: false, method: 'GET' })
  return renderConfirmLogout(ctx, exchange, href)
}

function renderFrontLogout(
  ctx: Context,
  { request, reply }: Exchange,
  urls: string[],
  next: Next,
): Promise<FastifyReply> {
  return renderLightPage(ctx, request, reply, {
    kind: 'front-logout',
    urls,
    seconds: FRONT_CHANNEL_SECONDS,
    next: next && headerAddress(next.service),
    application: next && labelOf(next.application),
  })
}
