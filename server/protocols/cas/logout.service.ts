import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderLightPage } from '../../features/appearance/index.ts'
import { type Application, findApplicationByService, isRegisteredOrigin } from '../../features/applications/index.ts'
import { clearPortalCookie, clearSsoCookie, endSsoSessions, findBrowserSession } from '../../features/sessions/index.ts'
import { takeFrontChannelLogouts } from '../../features/single-logout/index.ts'
import { isCrossSite, isPrefetch } from '../../platform/http/client.ts'
import type { Exchange } from '../../platform/http/mount.ts'
import type { Context } from '../../platform/platform.ts'
import { LOGIN_PATH, LOGOUT_PATH, labelOf, renderConfirmLogout, renderNotice } from './pages.render.ts'
import { flag, text, toHeaderUrl, withLoginParameters } from './parameters.rules.ts'

/** How long single logout in the browser may take before the redirect. */
const FRONT_CHANNEL_SECONDS = 5

type LogoutTarget = { service: string; application: Application } | null

/**
 * /logout (protocol section 7): ends the sign-on session everywhere and redirects to `service` if that is registered; ignores `url`.
 * Idempotent: does the same without a session. Another site's page can't trigger it unnoticed.
 */
export async function logOut(ctx: Context, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const next = await findLogoutTarget(ctx, request)
  if (!(await isIntendedLogout(ctx, request, next))) return renderConfirmation(ctx, exchange, next)
  const session = await findBrowserSession(ctx, request, null)
  if (session) await endSsoSessions(ctx, { ids: [session.id] }, 'logout')
  clearSsoCookie(ctx.config, reply)
  clearPortalCookie(ctx.config, reply)
  reply.header('clear-site-data', '"cache"')
  // Also for a session that the portal has just ended: its browser comes here for these.
  const urls = session ? await takeFrontChannelLogouts(ctx, session.id) : []
  if (urls.length > 0) return renderFrontLogout(ctx, exchange, urls, next)
  if (next) return reply.redirect(toHeaderUrl(next.service), 302)
  return renderNotice(ctx, exchange, {
    name: 'signed-out',
    self: LOGOUT_PATH,
    actions: [{ text: { key: 'notice.to-login' }, href: LOGIN_PATH, primary: true }],
  })
}

async function findLogoutTarget(ctx: Context, request: FastifyRequest): Promise<LogoutTarget> {
  const service = text(request.query, 'service') ?? text(request.body, 'service')
  const application = service === null ? null : await findApplicationByService(ctx, service)
  return service !== null && application?.enabled ? { service, application } : null
}

/**
 * Did the person, or an application that they are in, request this? True for our own pages, a typed address and a script (which sends no
 * browser headers). True for another site if it is a registered application that navigated here: the browser names it in `Referer`, which
 * no page can forge. Many applications suppress that; then a user's click with a registered service as destination suffices. Anything else,
 * such as an image or a prefetch, gets a confirmation page (decision 0003).
 */
async function isIntendedLogout(ctx: Context, request: FastifyRequest, next: LogoutTarget): Promise<boolean> {
  const { headers } = request
  if (isPrefetch(request) || flag(request.query, 'ask')) return false
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined && destination !== 'document' && destination !== 'empty') return false
  const referrer = originOf(headers.referer)
  const metadata = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
  const foreign = metadata
    ? isCrossSite(request, ctx.config.publicUrl)
    : isForeignReferrer(referrer, ctx.config.publicUrl)
  if (!foreign) return true
  if (request.method !== 'GET' || destination === 'empty') return false
  if (next && isClick(request)) return true
  return referrer !== null && (await isRegisteredOrigin(ctx, referrer))
}

/**
 * The user's own click navigated the whole page here, also through redirects: browsers report that (W3C Fetch Metadata 2.4), and only a
 * navigation has a document as its destination.
 */
const isClick = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-user'] === '?1' && headers['sec-fetch-dest'] === 'document'

const originOf = (address: string | undefined): string | null =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : null

/** For browsers that send no fetch metadata. */
const isForeignReferrer = (referrer: string | null, publicUrl: string) => referrer !== null && referrer !== publicUrl

function renderConfirmation(ctx: Context, exchange: Exchange, next: LogoutTarget): Promise<FastifyReply> {
  const service = next?.service ?? null
  const href = withLoginParameters(LOGOUT_PATH, { service, renew: false, gateway: false, method: 'GET' })
  return renderConfirmLogout(ctx, exchange, href)
}

function renderFrontLogout(
  ctx: Context,
  { request, reply }: Exchange,
  urls: string[],
  next: LogoutTarget,
): Promise<FastifyReply> {
  return renderLightPage(ctx, request, reply, {
    kind: 'front-logout',
    urls,
    seconds: FRONT_CHANNEL_SECONDS,
    next: next && toHeaderUrl(next.service),
    application: next && labelOf(next.application),
  })
}
