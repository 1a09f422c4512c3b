import i18next from 'i18next'
import type { z } from 'zod'
import type { Endpoint, Envelope } from '#shared/contract/endpoint.ts'
import { LANGUAGE_HEADER, WORDING_HEADER } from '#shared/rules/own-texts.ts'
import { takeEarlyAnswer } from './early-calls.ts'
import { noteWording, previewLanguage } from './i18n.ts'
import { interrupt } from './interruption.ts'
import { redirectToLogin, untilUnload } from './login-url.ts'
import { Refusal } from './refusal.ts'
import { cacheReply, findCachedReply } from './reply-cache.ts'
import { serverNow, syncServerTime } from './server-clock.ts'
import { removeSession, sessionToken, sessionUser } from './session.ts'
import { randomUuid, signRequest } from './signing.ts'

const BASE_PATH = '/auth_service'

/** Milliseconds (specification, section 9). */
export const REQUEST_TIMEOUT_MS = 300_000
export const DOWNLOAD_TIMEOUT_MS = 3_600_000

export type CallInput<E> =
  E extends Endpoint<infer Q, infer B, z.ZodType> ? { query?: z.input<Q>; body?: z.input<B> } : never
export type CallOutput<E> = E extends Endpoint<z.ZodType, z.ZodType, infer O> ? z.output<O> : never

type CallOptions = {
  /** Aborts the call when the page no longer needs it. */
  signal?: AbortSignal | undefined
  /** Caches the reply of a read call for this tab and user. */
  cache?: boolean
  /** Called by the page, not by the person: does not count as activity. */
  background?: boolean
}

/** What the application does about answers that concern the whole page; set once by the router. */
type AuthRedirects = Record<'changePassword' | 'proveFactor' | 'completeProfile' | 'noPermission', () => void>
let authRedirects: AuthRedirects = {
  changePassword: () => {},
  proveFactor: () => {},
  completeProfile: () => {},
  noPermission: () => {},
}
export const setAuthRedirects = (next: AuthRedirects): void => {
  authRedirects = next
}

/**
 * Makes a call of the contract.
 * @throws Refusal with the server's code and translated message. A lost session leaves the page instead (the promise
 * never settles).
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> = {} as CallInput<E>,
  options: CallOptions = {},
): Promise<CallOutput<E>> {
  const { path, query } = buildRequestUrl(endpoint, (input.query ?? {}) as Record<string, unknown>)
  const owner = sessionUser()?.userId ?? ''
  const address = `${path}?${query}`
  const kept = options.cache ? findCachedReply(owner, address) : null
  if (kept) return kept.data as CallOutput<E>
  const body = endpoint.method === 'POST' ? JSON.stringify(input.body ?? {}) : ''
  const data = await fetchData(endpoint, { path, query, body, signal: options.signal, background: options.background })
  if (options.cache) cacheReply(owner, address, data)
  return data as CallOutput<E>
}

type PreparedRequest = {
  path: string
  query: URLSearchParams
  /** The signed text; empty with a form. */
  body: string
  /** An upload. */
  form?: FormData
  signal?: AbortSignal | undefined
  background?: boolean | undefined
}

/** Retries once with the server's time, so that a wrong clock goes unnoticed. */
export async function fetchData(endpoint: Endpoint, request: PreparedRequest, isRetry = false): Promise<unknown> {
  const token = sessionToken()
  const early = endpoint.method === 'GET' ? await takeEarlyAnswer(`${request.path}?${request.query}`, token) : null
  const response = early ?? (await sendSigned(endpoint, request, REQUEST_TIMEOUT_MS))
  noteWording(response.headers.get(WORDING_HEADER))
  const answer = await readEnvelope(response)
  if (answer?.state === 200) return answer.data
  const refusal = toRefusal(response, answer)
  if (refusal.code === 'request.clock-skew' && !isRetry && syncServerTime(refusal.data)) {
    return fetchData(endpoint, request, true)
  }
  // Another tab has logged in in the meantime: its cookie was sent with the previous token.
  if (refusal.state === 401 && !isRetry && token !== null && sessionToken() !== null && sessionToken() !== token) {
    return fetchData(endpoint, request, true)
  }
  return handleRefusal(endpoint, refusal)
}

/** Signs and sends, and returns the raw response. For `call` and for downloads. */
export async function sendSigned(endpoint: Endpoint, request: PreparedRequest, timeoutMs: number): Promise<Response> {
  const { path, body, form, signal } = request
  const query = new URLSearchParams(request.query)
  query.set('uuids', randomUuid())
  const headers = await headersFor(endpoint, path, query, body)
  if (request.background) headers['x-background'] = '1'
  const language = previewLanguage()
  if (language) headers[LANGUAGE_HEADER] = language
  // The browser sets the type with its boundary.
  if (form) delete headers['content-type']
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await fetch(`${path}?${query}`, {
      method: endpoint.method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(endpoint.method === 'POST' && { body: form ?? body }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    const code = timeout.aborted ? 'network.timed-out' : 'network.unreachable'
    throw new Refusal(0, code, i18next.t(code))
  }
}

async function headersFor(
  endpoint: Endpoint,
  path: string,
  query: URLSearchParams,
  body: string,
): Promise<Record<string, string>> {
  const token = sessionToken()
  if (endpoint.access !== 'public' && !token) {
    interrupt({ kind: 'expired' })
    await untilUnload()
  }
  const timestamp = String(serverNow())
  return {
    accept: 'application/json',
    timestamp,
    sign: await signRequest(timestamp, endpoint.method, path, query, body),
    ...(token !== null && { token }),
    ...(endpoint.method === 'POST' && { 'content-type': 'application/json' }),
  }
}

/** Fills path parameters; the rest becomes the query, without empty values. */
export function buildRequestUrl(
  endpoint: Endpoint,
  values: Record<string, unknown>,
): { path: string; query: URLSearchParams } {
  const rest = { ...values }
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]))
    delete rest[name]
    return value
  })
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null && value !== '')
  return { path: BASE_PATH + path, query: new URLSearchParams(given.map(([name, value]) => [name, String(value)])) }
}

/** Null when a proxy answered instead of the server. */
async function readEnvelope(response: Response): Promise<Envelope<unknown> | null> {
  try {
    const answer = (await response.json()) as Envelope<unknown> | null
    return typeof answer?.state === 'number' ? answer : null
  } catch {
    return null
  }
}

export function toRefusal(response: Response, answer: Envelope<unknown> | null): Refusal {
  const { status } = response
  if (status === 504) return new Refusal(504, 'network.gateway-timed-out', i18next.t('network.gateway-timed-out'))
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  if (!answer) return new Refusal(status, 'network.unreachable', i18next.t('network.unreachable'), { retryAfter })
  const { state, code = '', message, data, requestId } = answer
  return new Refusal(state, code, message, { data, requestId, retryAfter })
}

const REFUSALS_WITH_PAGES: Readonly<Partial<Record<string, keyof AuthRedirects>>> = {
  'session.limited': 'changePassword',
  'session.second-factor-required': 'proveFactor',
  'session.profile-incomplete': 'completeProfile',
  'permission.denied': 'noPermission',
}

/**
 * What a refusal means for the page. 401, and a 403 without our code, go to the login. A password that must be changed,
 * an incomplete profile and a missing permission have their own pages, since a login would only lead back here; a 403
 * about the request itself (signature, replay, another login) is an ordinary error.
 */
function handleRefusal(endpoint: Endpoint, refusal: Refusal): Promise<never> {
  const { state, code } = refusal
  if (endpoint.access === 'public') throw refusal
  const open = REFUSALS_WITH_PAGES[code]
  if (open) {
    authRedirects[open]()
    throw refusal
  }
  if (state === 401 || (state === 403 && code === '')) {
    removeSession()
    if (code === 'session.ended-for-newer') interrupt({ kind: 'ended-for-newer' })
    else redirectToLogin('toLoginUrl')
    return untilUnload()
  }
  throw refusal
}
