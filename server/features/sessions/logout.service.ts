import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConfirmPage } from '#shared/contract/light-page.ts'
import { sha256 } from '../../platform/crypto.ts'
import { errors as requestErrors } from '../../platform/errors.ts'
import { isCrossSite, isFetchedAhead } from '../../platform/http/client.ts'
import type { Context } from '../../platform/platform.ts'
import { renderLightPage } from '../appearance/index.ts'
import { clearPortalCookie, portalCookieOf } from './cookies.ts'
import { findPortalSession, findUserInformation } from './portal-session.store.ts'
import { endSsoSessions } from './sso-session.service.ts'

/** Where a browser that navigated to the logout goes on: the page "signed out". */
const SIGNED_OUT = '/fwk_cas_service/logout'
const LOGOUT = '/auth_service/login/logout/'

/**
 * `GET /login/logout/`: acts on a request of our own pages (or a script's, which carries no header of a browser); anything
 * else, a picture or a prefetch among it, gets a page that asks.
 */
export async function logOutByGet(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  if (!isMeant(ctx, request)) {
    await askFirst(ctx, request, reply)
    return true
  }
  await logOut(ctx, request, reply)
  return goesOn(request, reply)
}

/**
 * The button of that page.
 * @throws Refusal `request.cross-site` unless a browser says that our own page sent it, or it carries the portal token, which no
 *   other site knows.
 */
export async function logOutByPost(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { headers } = request
  const isOurs = headers['sec-fetch-site'] === 'same-origin' || headers.origin === ctx.config.publicUrl
  if (isCrossSite(request, ctx.config.publicUrl) || !(isOurs || headers.token))
    throw requestErrors['request.cross-site']()
  await logOut(ctx, request, reply)
  return goesOn(request, reply)
}

/**
 * Ends the session behind the portal cookie, everywhere; the language and the name of the device stay. So does the sign-on
 * cookie, worthless now: with it the browser fetches the logout messages that only a browser can deliver, and loses it there.
 */
async function logOut(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const cookie = portalCookieOf(ctx.config, request)
  const session = cookie ? await findPortalSession(ctx.db, sha256(cookie), ctx.now()) : null
  if (session) await endSsoSessions(ctx, { ids: [session.id] }, 'logout')
  clearPortalCookie(ctx.config, reply)
  // Not "storage" or "cookies": language, theme and the reading aids belong to the device, not to the person.
  reply.header('clear-site-data', '"cache"')
}

/** Sends a browser that navigated here on; true when that is the answer. */
function goesOn(request: FastifyRequest, reply: FastifyReply): boolean {
  const accept = request.headers.accept ?? ''
  if (!accept.includes('text/html') || accept.includes('application/json')) return false
  reply.redirect(SIGNED_OUT, 303)
  return true
}

function isMeant(ctx: Context, request: FastifyRequest): boolean {
  const { headers } = request
  if (request.method !== 'GET' || isCrossSite(request, ctx.config.publicUrl)) return false
  if (isFetchedAhead(request) || 'ask' in (request.query as object)) return false
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined && destination !== 'empty' && destination !== 'document') return false
  // For browsers that send no fetch metadata.
  return headers.referer === undefined || originOf(headers.referer) === ctx.config.publicUrl
}

const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null)

async function askFirst(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const cookie = portalCookieOf(ctx.config, request)
  const session = cookie ? await findPortalSession(ctx.db, sha256(cookie), ctx.now()) : null
  const person = session && !session.endedAt ? await findUserInformation(ctx.db, session.userId, ctx.now()) : null
  const page: ConfirmPage = {
    kind: 'confirm',
    name: 'log-out',
    application: null,
    person: person?.name ?? null,
    actions: [
      { text: { key: 'confirm.log-out.yes' }, href: LOGOUT, primary: true, fields: {} },
      { text: { key: 'confirm.log-out.no' }, href: '/auth_web/' },
    ],
  }
  // Choosing another language on this page must ask again instead of logging out.
  await renderLightPage(ctx, request, reply, page, { self: `${LOGOUT}?ask=1` })
}
