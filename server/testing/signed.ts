import { createHmac } from 'node:crypto'
import { textToSign, WEB_APP_KEY } from '#shared/contract/signature.ts'
import { randomToken } from '../platform/crypto.ts'
import type { TestServer } from './server.ts'

export type SignedOptions = {
  method?: 'GET' | 'POST'
  /** Sent as JSON; FormData is sent as an upload, whose body is not signed. */
  body?: unknown
  /** A JSON body exactly as it should be sent, instead of `body`. */
  rawBody?: string
  /** The portal token. */
  token?: string
  /** The whole Cookie header. */
  cookie?: string
  /** Further headers; they replace those of the signer, so that a test can break one. */
  headers?: Record<string, string>
  /** Milliseconds; default: the server's clock. */
  timestamp?: number
  uuids?: string
  appKey?: string
}

/** The URL and request of a signed call, for a test that wants to alter or repeat it. */
export function signedRequest(
  server: TestServer,
  path: string,
  options: SignedOptions = {},
): { url: URL; init: RequestInit & { headers: Record<string, string> } } {
  const { body, token, cookie, method = body === undefined ? 'GET' : 'POST', appKey = WEB_APP_KEY } = options
  const url = new URL(path.startsWith('/auth_service/') ? path : `/auth_service${path}`, server.url)
  url.searchParams.set('uuids', options.uuids ?? randomToken(32))
  const { text, sent } = bodyOf(options)
  const timestamp = String(options.timestamp ?? server.platform.now().getTime())
  const covered = textToSign(timestamp, method, url.pathname, url.searchParams, text)
  const headers: Record<string, string> = {
    'accept-language': 'en',
    timestamp,
    sign: createHmac('sha256', appKey).update(covered).digest('hex').toUpperCase(),
    ...(text && { 'content-type': 'application/json' }),
    ...(token && { token }),
    ...(cookie && { cookie }),
    ...options.headers,
  }
  return { url, init: { method, headers, redirect: 'manual', ...sent } }
}

/** The part of a body that is signed, and what is sent. */
function bodyOf({ body, rawBody }: SignedOptions): { text: string; sent: { body?: string | FormData } } {
  if (rawBody === undefined && body instanceof FormData) return { text: '', sent: { body } }
  const text = rawBody ?? (body === undefined ? '' : JSON.stringify(body))
  return { text, sent: text === '' ? {} : { body: text } }
}

/**
 * Calls `/auth_service<path>` as the web application does: adds `timestamp`, `uuids` and `sign`, POST if there is a body. Returns any
 * answer; redirects are not followed.
 */
export async function signedFetch(server: TestServer, path: string, options: SignedOptions = {}): Promise<Response> {
  const { url, init } = signedRequest(server, path, options)
  return await fetch(url, init)
}
