import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'

/** The SSO cookie keeps the name that CAS operators know; its path is as narrow as the protocol allows. */
const SSO_COOKIE = 'CASTGC'
const SSO_PATH = '/fwk_cas_service/'

const isHttps = (config: Config) => config.publicUrl.startsWith('https:')
/** `__Host-` binds a cookie to this very host; browsers accept the prefix only with Secure. */
const hostCookie = (config: Config, name: string) => (isHttps(config) ? `__Host-${name}` : name)

const cookieOptions = (config: Config, path = '/') =>
  ({ path, httpOnly: true, sameSite: 'lax', secure: isHttps(config) }) as const

export const ssoCookieOf = (request: FastifyRequest): string | null => request.cookies[SSO_COOKIE] ?? null

/** @param maxAge seconds, for a remembered login; null: until the browser closes. */
export function setSsoCookie(config: Config, reply: FastifyReply, secret: string, maxAge: number | null): void {
  reply.setCookie(SSO_COOKIE, secret, { ...cookieOptions(config, SSO_PATH), ...(maxAge !== null && { maxAge }) })
}

export const clearSsoCookie = (config: Config, reply: FastifyReply): void => {
  reply.clearCookie(SSO_COOKIE, cookieOptions(config, SSO_PATH))
}

export const portalCookieName = (config: Config): string => hostCookie(config, 'gatehouse_portal')

export const portalCookieOf = (config: Config, request: FastifyRequest): string | null =>
  request.cookies[portalCookieName(config)] ?? null

export function setPortalCookie(config: Config, reply: FastifyReply, secret: string): void {
  reply.setCookie(portalCookieName(config), secret, cookieOptions(config))
}

export const clearPortalCookie = (config: Config, reply: FastifyReply): void => {
  reply.clearCookie(portalCookieName(config), cookieOptions(config))
}

const isToken = (value: unknown): value is string => typeof value === 'string' && /^\w{32}$/.test(value)

/** Browser cookies that are set by the answer to this request. */
const newBrowserCookies = new WeakMap<FastifyRequest, string>()

const browserCookieOf = (config: Config, request: FastifyRequest): string | undefined =>
  newBrowserCookies.get(request) ?? request.cookies[hostCookie(config, 'gatehouse_browser')]

const hashToken = (value: string | undefined): string | null =>
  isToken(value) ? sha256(value).toString('base64url') : null

/** The hash that binds captchas, tickets for the portal and hand-over codes to this browser; null when it has no cookie yet. */
export const browserIdOf = (config: Config, request: FastifyRequest): string | null =>
  hashToken(browserCookieOf(config, request))

/** As `browserIdOf`, setting the cookie if the browser has none. */
export function ensureBrowserId(config: Config, request: FastifyRequest, reply: FastifyReply): string {
  return browserIdOf(config, request) ?? setBrowserCookie(config, request, reply)
}

function setBrowserCookie(config: Config, request: FastifyRequest, reply: FastifyReply): string {
  const value = randomToken(32)
  newBrowserCookies.set(request, value)
  reply.setCookie(hostCookie(config, 'gatehouse_browser'), value, cookieOptions(config))
  return sha256(value).toString('base64url')
}

/** As long as what was started before a login may be completed after it. */
const PREVIOUS_BROWSER_SECONDS = 600

/** Replaces the browser cookie after a login: whoever planted the previous one must not be able to redeem what this login hands over. */
export function rotateBrowserCookie(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  const previous = browserCookieOf(config, request)
  setBrowserCookie(config, request, reply)
  if (!isToken(previous)) return
  const name = hostCookie(config, 'gatehouse_former_browser')
  reply.setCookie(name, previous, { ...cookieOptions(config), maxAge: PREVIOUS_BROWSER_SECONDS })
}

/** `browserIdOf` from before the last login; only for completing what the person logged in for, because it may have been planted. */
export const previousBrowserIdOf = (config: Config, request: FastifyRequest): string | null =>
  hashToken(request.cookies[hostCookie(config, 'gatehouse_former_browser')])

const DEVICE_SECONDS = 400 * 24 * 3600

/** The random id of this device, set at its first successful login; null before. */
export function deviceCookieOf(config: Config, request: FastifyRequest): string | null {
  const value = request.cookies[hostCookie(config, 'gatehouse_device')]
  return isToken(value) ? value : null
}

export function setDeviceCookie(config: Config, reply: FastifyReply, device: string): void {
  reply.setCookie(hostCookie(config, 'gatehouse_device'), device, { ...cookieOptions(config), maxAge: DEVICE_SECONDS })
}

/** The secret that replaces a second factor in this browser; null if it is not trusted. */
export function trustCookieOf(config: Config, request: FastifyRequest): string | null {
  const value = request.cookies[hostCookie(config, 'gatehouse_trust')]
  return isToken(value) ? value : null
}

export function setTrustCookie(config: Config, reply: FastifyReply, secret: string, seconds: number): void {
  reply.setCookie(hostCookie(config, 'gatehouse_trust'), secret, { ...cookieOptions(config), maxAge: seconds })
}

const PENDING_COOKIE = 'gatehouse_pending'

/** The code of a login that waits for its second factor. */
export function pendingLoginCookieOf(request: FastifyRequest): string | null {
  const value = request.cookies[PENDING_COOKIE]
  return isToken(value) ? value : null
}

export function setPendingLoginCookie(config: Config, reply: FastifyReply, code: string, seconds: number): void {
  reply.setCookie(PENDING_COOKIE, code, { ...cookieOptions(config, SSO_PATH), maxAge: seconds })
}

export const clearPendingLoginCookie = (config: Config, reply: FastifyReply): void => {
  reply.clearCookie(PENDING_COOKIE, cookieOptions(config, SSO_PATH))
}
