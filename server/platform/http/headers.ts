import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** For data: nothing may be loaded, framed or navigated from it. */
export const DATA_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"

/** For a stored file: whatever a browser takes it for when opened directly, it has no origin and runs nothing. */
export const FILE_POLICY = `${DATA_POLICY}; sandbox`

/** For the preview of a mail in a frame of ours: it brings its own style, and has neither origin nor script. */
export const MAIL_PREVIEW_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox"

/** Headers of every answer. */
export function fixedHeaders(config: Config): Record<string, string> {
  return {
    'content-security-policy': DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Not no-referrer: it would make a same-origin form send `Origin: null`.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'cache-control': 'no-store',
    ...(config.publicUrl.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  }
}

/** Sets the headers of every answer; a page replaces the content security policy with `pagePolicy`. */
export function securityHeaders(config: Config) {
  const headers = fixedHeaders(config)
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    reply.headers(headers)
    if (LOGIN_FLOW.test(request.url)) reply.header('cross-origin-opener-policy', 'unsafe-none')
    done()
  }
}

/** The content security policy source that allows one style element. */
export const styleHash = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/**
 * What a login passes through on its way into an application. Many applications open it in a separate window and wait there for the answer:
 * one page or redirect that severs the window from its opener, and the answer never arrives (decision 0018).
 */
const LOGIN_FLOW =
  /^\/(fwk_cas_service\/|auth_web\/(login|second-factor|forgot-password|activation)(\/?$|\/?\?)|auth_service\/third_party\/[^/?]+\/(login|callback)\/)/

type PagePolicyOptions = {
  /** For the one inline style element or script of a page. */
  nonce?: string
  /** `styleHash` of the one style element of a page that is the same for everybody. */
  style?: string
  /** Registered origins that a form may end up at: Chromium applies form-action to redirects too. */
  formTargets?: readonly string[]
  /** Origins that a page frames for front-channel logout: their scripts must never run in ours. */
  frames?: readonly string[]
  /** Our own pages may frame it, and no form may be submitted from it. */
  isPreview?: boolean
}

/** The content security policy of an HTML page: only our own origin, nothing inline except what carries the nonce. */
export function pagePolicy({
  nonce,
  style,
  formTargets = [],
  frames = [],
  isPreview = false,
}: PagePolicyOptions = {}): string {
  const inline = nonce ? ` 'nonce-${nonce}'` : ''
  const list = (origins: readonly string[]) => origins.map((origin) => ` ${origin}`).join('')
  return [
    "default-src 'none'",
    `script-src 'self'${inline}`,
    `style-src 'self'${inline}${style ? ` ${style}` : ''}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    ...(frames.length > 0 ? [`frame-src${list(frames)}`] : []),
    isPreview ? "form-action 'none'" : `form-action 'self'${list(formTargets)}`,
    `frame-ancestors ${isPreview ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')
}
