import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** For answers that are data: nothing may load, frame or navigate from them. */
export const DATA_POLICY =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"

/** For a stored file: whatever a browser takes it for when it is opened by itself, it has no origin and runs nothing. */
export const FILE_POLICY = `${DATA_POLICY}; sandbox`

/** For the picture of a mail in a frame of ours: it brings its style along, and has neither origin nor script. */
export const MAIL_PREVIEW_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox"

/** What every answer carries. */
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

/** Sets what every answer carries; a page replaces the content policy with `pagePolicy`. */
export function securityHeaders(config: Config) {
  const headers = fixedHeaders(config)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(headers)
    if (LOGIN_FLOW.test(request.url)) reply.header('cross-origin-opener-policy', 'unsafe-none')
  }
}

/** The source in a content policy that lets one style element through. */
export const styleHash = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/**
 * What a login goes through on its way into an application. Many open it in a window of their own, and wait there for its answer:
 * one page or redirect that cuts the window off from who opened it, and the answer arrives nowhere (decision 0018).
 */
const LOGIN_FLOW =
  /^\/(fwk_cas_service\/|auth_web\/(login|second-factor|forgot-password|activation)(\/?$|\/?\?)|auth_service\/third_party\/[^/?]+\/(login|callback)\/)/

type PagePolicyOptions = {
  /** For the one style element or script that a page inlines. */
  nonce?: string
  /** `styleHash` of the one style element of a page that is the same for everybody. */
  style?: string
  /** Registered origins that a form may end up at: Chromium applies form-action to redirects too. */
  formTargets?: readonly string[]
  /** Origins that a page must reach for front-channel logout, in frames: their scripts must never run in ours. */
  frames?: readonly string[]
  /** Our own pages may frame it, and no form leaves it. */
  isPreview?: boolean
}

/** The content policy of an HTML page: only our own origin, nothing inline except what carries the nonce. */
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
