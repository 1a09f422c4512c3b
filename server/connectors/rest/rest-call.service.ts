import { setTimeout as sleep } from 'node:timers/promises'
import { networkCode, networkProblem } from '../../platform/network-problem.ts'
import type { OutgoingFetch } from '../../platform/outgoing-fetch.ts'
import { SourceFault, type SourceProblem, type SourceSettings, type Wait } from '../data-source.types.ts'
import { isTlsError } from '../source-socket.service.ts'
import { atPath, parseExactly } from './rest-rows.rules.ts'

/** For one page; an API that sends all its people at once needs more than usual. */
const MAX_PAGE_BYTES = 32 * 1024 * 1024
/** For all pages together. */
const MAX_READ_BYTES = 1024 * 1024 * 1024

export type RestAnswer = {
  document: unknown
  /** From the `Link` header with `rel="next"`; null: there is none. */
  next: string | null
  /** The server's clock, from the `Date` header. */
  date: string | null
}
export type RestCall = (url: string) => Promise<RestAnswer>

/** How an API is called besides its authentication. */
export type RestManner = {
  accept?: string
  /** The keyword of a refusal in the API's own format; '': none. Without it a refusal's body is not read. */
  keywordOf?: (document: unknown) => string
  /** For a run, for which nobody waits; absent: a call doesn't wait long for its turn. */
  wait: Wait | undefined
}

const ACCEPT = 'application/json'
/** A server that asks for more patience than this is not worth waiting for. */
const MAX_PAUSE_SECONDS = 120
/** The same while somebody waits in front of a page. */
const MAX_SHORT_PAUSE_SECONDS = 5
/** For one call. */
const MAX_PAUSES = 10
/** Of SCIM (RFC 7644 3.12): the list is longer than the server returns. */
const TOO_MANY = 'tooMany'
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/**
 * Calls with authentication; a token is requested once, and again when it has expired. A server that asks to be called later is.
 * @throws SourceFault.
 */
export async function createRestCall(
  settings: SourceSettings,
  fetch: OutgoingFetch,
  { accept = ACCEPT, keywordOf, wait }: RestManner,
): Promise<RestCall> {
  let given = await credentials(settings, fetch)
  let bytes = 0
  const send = async (url: string): Promise<Response> => {
    const answer = await reach(fetch, url, { headers: { accept, ...given } }, settings)
    if (answer.status !== 401 || settings.options.auth !== 'oauth2') return answer
    await answer.body?.cancel()
    given = await credentials(settings, fetch)
    return await reach(fetch, url, { headers: { accept, ...given } }, settings)
  }
  const ask = async (url: string): Promise<Response> => {
    for (let pauses = 0; ; pauses++) {
      const answer = await send(url)
      const seconds = pauses < MAX_PAUSES ? pauseOf(answer, wait) : null
      if (seconds === null) return await accepted(answer, 'rows', keywordOf)
      await answer.body?.cancel()
      await (wait ?? sleep)(seconds * 1000)
    }
  }
  return async (url) => {
    const answer = await ask(url)
    const text = await readText(answer)
    bytes += text.length
    if (bytes > MAX_READ_BYTES) throw new SourceFault('limited', `${MAX_READ_BYTES} B`)
    const { headers } = answer
    return { document: toDocument(text), next: nextOf(headers.get('link'), url), date: headers.get('date') }
  }
}

async function credentials(settings: SourceSettings, fetch: OutgoingFetch): Promise<Record<string, string>> {
  const { user, password, options } = settings
  if (options.auth === 'basic') return { authorization: basic(user, password) }
  if (options.auth === 'bearer') return { authorization: `Bearer ${password}` }
  if (options.auth === 'header') return { [options.headerName]: password }
  if (options.auth === 'oauth2') return { authorization: `Bearer ${await askToken(settings, fetch)}` }
  return {}
}

/** RFC 6749 4.4, with the client in the header as 2.3.1 prefers. */
async function askToken(settings: SourceSettings, fetch: OutgoingFetch): Promise<string> {
  const { user, password, options } = settings
  const answer = await reach(
    fetch,
    options.tokenUrl,
    {
      method: 'POST',
      headers: {
        accept: ACCEPT,
        authorization: basic(encodeURIComponent(user), encodeURIComponent(password)),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...(options.scope && { scope: options.scope }),
      }).toString(),
    },
    settings,
  )
  const token = atPath(toDocument(await readText(await accepted(answer, 'token'))), 'access_token')
  if (typeof token !== 'string' || token === '' || /[^\x21-\x7e]/.test(token))
    throw new SourceFault('login-refused', 'access_token')
  return token
}

/** Redirects are not followed: nobody configured where they lead, and they would get the secret. */
async function reach(
  fetch: OutgoingFetch,
  url: string,
  init: { method?: string; headers: Record<string, string>; body?: string },
  { timeoutSeconds }: SourceSettings,
): Promise<Response> {
  return await fetch(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutSeconds * 1000),
    maxResponseBytes: MAX_PAGE_BYTES,
  }).catch((error: unknown) => {
    throw toFault(error)
  })
}

/** The seconds after which a busy server asks to be called again; null: it doesn't, or nobody waits that long. */
function pauseOf({ status, headers }: Response, wait: Wait | undefined): number | null {
  const after = headers.get('retry-after') ?? ''
  if ((status !== 429 && status !== 503) || !/^\d{1,6}$/.test(after)) return null
  const most = wait ? MAX_PAUSE_SECONDS : MAX_SHORT_PAUSE_SECONDS
  return Number(after) <= most ? Number(after) : null
}

/** @throws SourceFault unless the server did what it was asked. */
async function accepted(
  answer: Response,
  purpose: 'rows' | 'token',
  keywordOf?: RestManner['keywordOf'],
): Promise<Response> {
  const { status } = answer
  if (status >= 200 && status < 300) return answer
  const keyword = keywordOf ? await readKeyword(answer, keywordOf) : ''
  if (!keywordOf) await answer.body?.cancel()
  throw new SourceFault(problemOf(status, purpose, keyword), `HTTP ${status}${keyword && ` ${keyword}`}`)
}

const PROBLEMS: Readonly<Record<number, SourceProblem>> = {
  401: 'login-refused',
  403: 'no-rights',
  404: 'no-table',
  410: 'no-table',
  429: 'limited',
}

function problemOf(status: number, purpose: 'rows' | 'token', keyword: string): SourceProblem {
  if (status >= 300 && status < 400) return 'referral'
  // A token endpoint answers 400 to an unknown client.
  if (status === 400 && purpose === 'token') return 'login-refused'
  if (status === 400 && keyword === TOO_MANY) return 'limited'
  return PROBLEMS[status] ?? 'failed'
}

async function readKeyword(answer: Response, keywordOf: (document: unknown) => string): Promise<string> {
  try {
    return keywordOf(toDocument(await readText(answer)))
  } catch {
    return ''
  }
}

const readText = (answer: Response): Promise<string> =>
  answer.text().catch((error: unknown) => {
    throw toFault(error)
  })

function toDocument(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    // Without the text: it may contain a token.
    throw new SourceFault('failed', 'JSON')
  }
}

function toFault(error: unknown): SourceFault {
  const { name, message, cause } = error as Error & { cause?: Error }
  const code = networkCode(error) ?? ''
  const words = cause?.message ?? message
  if (name === 'TimeoutError') return new SourceFault('timeout')
  if (isTlsError(code)) return new SourceFault('tls', words)
  if (networkProblem(error) === 'forbidden-address') return new SourceFault('forbidden-address')
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return new SourceFault('limited', `${MAX_PAGE_BYTES} B`)
  return new SourceFault(/RESET|SOCKET|EPIPE|ABORTED/.test(code) ? 'cut-off' : 'unreachable', words)
}

/** RFC 8288, the subset used for next pages. */
function nextOf(link: string | null, base: string): string | null {
  const [, target] = /<([^>]{1,2000})>\s*;[^,]{0,200}\brel="?next\b/i.exec((link ?? '').slice(0, 10_000)) ?? []
  if (target === undefined) return null
  return URL.canParse(target, base) ? new URL(target, base).href : null
}
