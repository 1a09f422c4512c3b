import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 } from 'uuid'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import { errors as platformErrors } from '../../platform/errors.ts'
import { contextOf } from '../../platform/http/client.ts'
import { type Caller, type Context, callerOf, type Platform } from '../../platform/platform.ts'
import { loadGateSettings } from './gate-settings.service.ts'
import {
  deletePortalSession,
  findPortalSession,
  findPortalSessionLastSeen,
  findUserInformation,
  insertPortalSession,
  type PortalRow,
  touchPortalSession,
} from './portal-session.store.ts'
import { errors } from './session.errors.ts'
import { browserIdOf, portalCookieOf, setPortalCookie } from './session-cookies.service.ts'
import { findEndReason, NEWER_LOGIN } from './session-end.store.ts'
import { endSsoSessions, findBrowserSessionById, type SsoSession, toBrowserSession } from './sso-session.service.ts'

const EXCHANGE_CODE = 'hand-over'
const EXCHANGE_CODE_SECONDS = 60

type ExchangeCode = { ssoSessionId: string; userId: string; limited: boolean; browser: string }

/** Makes the `jsessionid` of the address bar: single use, valid for 60 s, only in this browser. */
export async function issueExchangeCode(ctx: Context, exchangeCode: ExchangeCode): Promise<string> {
  const code = randomToken(32)
  await ctx.state.put(EXCHANGE_CODE, code, exchangeCode, EXCHANGE_CODE_SECONDS)
  return code
}

/**
 * Redeems a hand-over code: opens the portal session, sets its cookie and returns the token, which proves the session only together with
 * the cookie.
 * @throws Refusal `session.hand-over-invalid` for an unknown, used, expired or foreign code.
 */
export async function redeemExchangeCode(ctx: Context, code: string, request: FastifyRequest, reply: FastifyReply) {
  const exchangeCode = await ctx.state.take<ExchangeCode>(EXCHANGE_CODE, code)
  if (!exchangeCode || exchangeCode.browser !== browserIdOf(ctx.config, request))
    throw errors['session.hand-over-invalid']()
  const session = await findBrowserSessionById(ctx, exchangeCode.ssoSessionId, null)
  if (!session || session.refusal) throw errors['session.hand-over-invalid']()
  const user = await loadUserInformation(ctx, session)
  const cookie = randomToken(43)
  const token = randomToken(43)
  const previousCookie = portalCookieOf(ctx.config, request)
  await insertPortalSession(ctx.db, {
    id: v7(),
    ssoSessionId: session.id,
    cookieHash: sha256(cookie),
    tokenHash: sha256(token),
    at: ctx.now(),
    replaces: previousCookie ? sha256(previousCookie) : null,
  })
  setPortalCookie(ctx.config, reply, cookie)
  return { token, fwkAuthUserInformation: user }
}

async function loadUserInformation(ctx: Context, session: SsoSession): Promise<UserInformation> {
  const user = await findUserInformation(ctx.db, session.userId, ctx.now())
  if (!user) throw errors['session.hand-over-invalid']()
  return {
    userId: user.userId,
    account: user.account,
    name: user.name,
    nick: user.nick,
    isSuperUser: user.isSuperUser ? '1' : '0',
    permissions: user.permissions,
    firstLogin: session.limited ? '1' : '0',
    secondFactorDue: session.lacksFactor ? '1' : '0',
    profileDue: session.lacksFields ? '1' : '0',
    picture: user.avatarId && `/auth_service/auth_files/preview_file/${user.avatarId}`,
  }
}

/** Requests that a page sends on its own carry this header and do not count as activity. */
const BACKGROUND_HEADER = 'x-background'
const TOUCH_AFTER_MS = 30_000

const isBackground = (request: FastifyRequest): boolean => request.headers[BACKGROUND_HEADER] !== undefined

/**
 * The portal session that a request proves by the HttpOnly cookie and the `token` header together; each alone is useless. Ends an idle
 * session (`expirationMinutes`), whether or not a script ran in the page.
 */
export async function authenticate(platform: Platform, request: FastifyRequest): Promise<Caller | null> {
  const cookie = portalCookieOf(platform.config, request)
  const token = request.headers.token
  if (!cookie || typeof token !== 'string' || token === '') return null
  const gateSettings = await loadGateSettings(platform)
  const row = await findPortalSession(platform.sql, sha256(cookie), { rules: gateSettings.rules, now: platform.now() })
  if (!row || !timingSafeEqual(row.tokenHash, sha256(token))) return null
  const { policy } = gateSettings
  const now = platform.now()
  const session = await toBrowserSession(contextOf(platform, request), row, null, gateSettings)
  if (session.refusal) return null
  const idleMs = now.getTime() - row.portalLastSeenAt.getTime()
  if (policy.switchOfExpirationLogout === '1' && idleMs >= policy.expirationMinutes * 60_000) {
    await endIdleSession(platform, request, row)
    return null
  }
  if (!isBackground(request) && idleMs > TOUCH_AFTER_MS) await touchPortalSession(platform.sql, row, now)
  return {
    userId: row.userId,
    sessionId: row.portalSessionId,
    ssoSessionId: row.id,
    isSuperUser: row.isSuperUser,
    permissions: row.permissions,
    limited: row.limited,
    lacksFactor: session.lacksFactor,
    lacksFields: session.lacksFields,
  }
}

/**
 * As `authenticate`, for a call that requires a session.
 * @throws Refusal `session.ended-for-newer` if the session was ended in favour of another login.
 */
export async function authenticateOrExplain(platform: Platform, request: FastifyRequest): Promise<Caller | null> {
  const caller = await authenticate(platform, request)
  const cookie = portalCookieOf(platform.config, request)
  const { token } = request.headers
  if (caller || !cookie || typeof token !== 'string') return caller
  const reason = await findEndReason(platform.sql, sha256(cookie), sha256(token))
  if (reason === NEWER_LOGIN) throw platformErrors['session.ended-for-newer']()
  return null
}

/** A remembered login outlives an idle page, as the person chose; any other ends with it. */
async function endIdleSession(platform: Platform, request: FastifyRequest, row: PortalRow): Promise<void> {
  if (row.remembered) return deletePortalSession(platform.sql, row.portalSessionId)
  await endSsoSessions(contextOf(platform, request), { ids: [row.id] }, 'idle', { tellApplications: false })
}

/** Records activity to the second, unless the page only polls; returns how long ago the last one was. */
export async function recordActivity(ctx: Context, request: FastifyRequest): Promise<{ idleSeconds: number }> {
  const { sessionId, ssoSessionId } = callerOf(ctx)
  const now = ctx.now()
  if (!isBackground(request)) {
    await touchPortalSession(ctx.db, { portalSessionId: sessionId, id: ssoSessionId }, now)
    return { idleSeconds: 0 }
  }
  const lastSeen = (await findPortalSessionLastSeen(ctx.db, sessionId)) ?? now
  return { idleSeconds: Math.max(0, Math.round((now.getTime() - lastSeen.getTime()) / 1000)) }
}
