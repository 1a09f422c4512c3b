import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConfirmPage } from '#shared/contract/light-page.ts'
import { sha256 } from '../../platform/crypto.ts'
import { errors as requestErrors } from '../../platform/errors.ts'
import { isCrossSite, isPrefetch } from '../../platform/http/client.ts'
import type { Context } from '../../platform/platform.ts'
import { NO_RULES } from '../access/index.ts'
import { renderLightPage } from '../appearance/index.ts'
import { findPortalSession, findUserInformation } from './portal-session.store.ts'
import { clearPortalCookie, portalCookieOf } from './session-cookies.service.ts'
import { endSsoSessions } from './sso-session.service.ts'

/** Where a browser that navigated to the logout is redirected: the page "signed out". */
const SIGNED_OUT_PATH = '/fwk_cas_service/logout'
const LOGOUT_PATH = '/auth_service/login/logout/'

/**
 * `GET /login/logout/`: acts on a request from our own pages or from the address bar; anything else (an image, a prefetch, a browser that
 * doesn't say where it comes from) gets a page that asks.
 */
export async function logOutByGet(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  if (!isIntendedLogout(ctx, request)) {
    await renderConfirmation(ctx, request, reply)
    return true
  }
  await logOut(ctx, request, reply)
  return redirectBrowser(request, reply)
}

/**
 * The button of that page.
 * @throws Refusal `request.cross-site` unless the browser says that our own page sent it, or it carries the portal token, which no other
 *   site knows.
 */
export async function logOutByPost(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { headers } = request
  const isOurs = headers['sec-fetch-site'] === 'same-origin' || headers.origin === ctx.config.publicUrl
  if (isCrossSite(request, ctx.config.publicUrl) || !(isOurs || headers.token))
    throw requestErrors['request.cross-site']()
  await logOut(ctx, request, reply)
  return redirectBrowser(request, reply)
}

/**
 * Ends the session behind the portal cookie, everywhere; the language and the device cookie stay. So does the sign-on cookie, now
 * worthless: with it the browser fetches the logout messages that only a browser can deliver, and then drops it.
 */
async function logOut(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const cookie = portalCookieOf(ctx.config, request)
  const session = cookie ? await findCookieSession(ctx, cookie) : null
  if (session) await endSsoSessions(ctx, { ids: [session.id] }, 'logout')
  clearPortalCookie(ctx.config, reply)
  // Not "storage" or "cookies": language, theme and accessibility settings belong to the device, not to the person.
  reply.header('clear-site-data', '"cache"')
}

/** By the cookie alone, without any check. */
const findCookieSession = (ctx: Context, cookie: string) =>
  findPortalSession(ctx.db, sha256(cookie), { rules: NO_RULES, now: ctx.now() })

/** Redirects a browser that navigated here; true if it did. */
function redirectBrowser(request: FastifyRequest, reply: FastifyReply): boolean {
  const accept = request.headers.accept ?? ''
  if (!accept.includes('text/html') || accept.includes('application/json')) return false
  reply.redirect(SIGNED_OUT_PATH, 303)
  return true
}

function isIntendedLogout(ctx: Context, request: FastifyRequest): boolean {
  const { headers } = request
  if (request.method !== 'GET' || isCrossSite(request, ctx.config.publicUrl)) return false
  if (isPrefetch(request) || 'ask' in (request.query as object)) return false
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined && destination !== 'empty' && destination !== 'document') return false
  const { publicUrl } = ctx.config
  if (headers.referer !== undefined && originOf(headers.referer) !== publicUrl) return false
  // Old browsers send no fetch metadata and a page can hide the referrer, but no other site can add the token.
  const originHeaders = [headers['sec-fetch-site'], headers.origin, headers.referer, headers.token]
  return originHeaders.some((header) => header !== undefined)
}

const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null)

async function renderConfirmation(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const cookie = portalCookieOf(ctx.config, request)
  const session = cookie ? await findCookieSession(ctx, cookie) : null
  const person = session && !session.endedAt ? await findUserInformation(ctx.db, session.userId, ctx.now()) : null
  const page: ConfirmPage = {
    kind: 'confirm',
    name: 'log-out',
    application: null,
    person: person?.name ?? null,
    actions: [
      { text: { key: 'confirm.log-out.yes' }, href: LOGOUT_PATH, primary: true, fields: {} },
      { text: { key: 'confirm.log-out.no' }, href: '/auth_web/' },
    ],
  }
  // Choosing another language on this page must ask again instead of logging the user out.
  await renderLightPage(ctx, request, reply, page, { self: `${LOGOUT_PATH}?ask=1` })
}
