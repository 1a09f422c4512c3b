import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'

/** The SSO cookie keeps the name that CAS operators know; its path is as narrow as the protocol asks. */
const SSO_COOKIE = 'CASTGC'
const SSO_PATH = '/fwk_cas_service/'

const isHttps = (config: Config) => config.publicUrl.startsWith('https:')
/** `__Host-` binds a cookie to this very host; browsers accept the prefix only with Secure. */
const hostCookie = (config: Config, name: string) => (isHttps(config) ? `__Host-${name}` : name)

const attributes = (config: Config, path = '/') =>
  ({ path, httpOnly: true, sameSite: 'lax', secure: isHttps(config) }) as const

export const ssoCookieOf = (request: FastifyRequest): string | null => request.cookies[SSO_COOKIE] ?? null

/** @param maxAge seconds, for a remembered login; null: until the browser closes. */
export function setSsoCookie(config: Config, reply: FastifyReply, secret: string, maxAge: number | null): void {
  reply.setCookie(SSO_COOKIE, secret, { ...attributes(config, SSO_PATH), ...(maxAge !== null && { maxAge }) })
}

export const clearSsoCookie = (config: Config, reply: FastifyReply): void => {
  reply.clearCookie(SSO_COOKIE, attributes(config, SSO_PATH))
}

export const portalCookieName = (config: Config): string => hostCookie(config, 'gatehouse_portal')

export const portalCookieOf = (config: Config, request: FastifyRequest): string | null =>
  request.cookies[portalCookieName(config)] ?? null

export function setPortalCookie(config: Config, reply: FastifyReply, secret: string): void {
  reply.setCookie(portalCookieName(config), secret, attributes(config))
}

export const clearPortalCookie = (config: Config, reply: FastifyReply): void => {
  reply.clearCookie(portalCookieName(config), attributes(config))
}

const isToken = (value: string | undefined): value is string => value !== undefined && /^\w{32}$/.test(value)

/** The hash that binds captchas, tickets for the portal and hand-over codes to this browser; null when it has no cookie yet. */
export function browserOf(config: Config, request: FastifyRequest): string | null {
  const value = request.cookies[hostCookie(config, 'gatehouse_browser')]
  return isToken(value) ? sha256(value).toString('base64url') : null
}

/** As `browserOf`, giving the browser its cookie when it has none. */
export function bindBrowser(config: Config, request: FastifyRequest, reply: FastifyReply): string {
  const known = browserOf(config, request)
  if (known) return known
  const value = randomToken(32)
  reply.setCookie(hostCookie(config, 'gatehouse_browser'), value, attributes(config))
  return sha256(value).toString('base64url')
}

const DEVICE_SECONDS = 400 * 24 * 3600

/** The random name of this device, given at its first successful login; null before. */
export function deviceOf(config: Config, request: FastifyRequest): string | null {
  const value = request.cookies[hostCookie(config, 'gatehouse_device')]
  return isToken(value) ? value : null
}

export function setDevice(config: Config, reply: FastifyReply, device: string): void {
  reply.setCookie(hostCookie(config, 'gatehouse_device'), device, { ...attributes(config), maxAge: DEVICE_SECONDS })
}

/** The secret by which this browser stands in for a second factor; null when nobody trusts it. */
export function trustOf(config: Config, request: FastifyRequest): string | null {
  const value = request.cookies[hostCookie(config, 'gatehouse_trust')]
  return isToken(value) ? value : null
}

export function setTrust(config: Config, reply: FastifyReply, secret: string, seconds: number): void {
  reply.setCookie(hostCookie(config, 'gatehouse_trust'), secret, { ...attributes(config), maxAge: seconds })
}

const PENDING_COOKIE = 'gatehouse_pending'

/** The code of a login that waits for its second factor. */
export function pendingOf(request: FastifyRequest): string | null {
  const value = request.cookies[PENDING_COOKIE]
  return isToken(value) ? value : null
}

export function setPending(config: Config, reply: FastifyReply, code: string, seconds: number): void {
  reply.setCookie(PENDING_COOKIE, code, { ...attributes(config, SSO_PATH), maxAge: seconds })
}

export const clearPending = (config: Config, reply: FastifyReply): void => {
  reply.clearCookie(PENDING_COOKIE, attributes(config, SSO_PATH))
}
