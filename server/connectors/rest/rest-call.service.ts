import type { OutgoingFetch } from '../../platform/outgoing-fetch.ts'
import { SourceFault, type SourceSettings } from '../data-source.types.ts'
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
}
export type RestCall = (url: string) => Promise<RestAnswer>

const ACCEPT = { accept: 'application/json' }
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Calls with authentication; a token is requested once. @throws SourceFault. */
export async function createRestCall(settings: SourceSettings, fetch: OutgoingFetch): Promise<RestCall> {
  const headers = { ...ACCEPT, ...(await credentials(settings, fetch)) }
  let bytes = 0
  return async (url) => {
    const answer = await send(fetch, url, { headers }, settings)
    const text = await readText(answer)
    bytes += text.length
    if (bytes > MAX_READ_BYTES) throw new SourceFault('limited', `${MAX_READ_BYTES} B`)
    return { document: toDocument(text), next: nextOf(answer.headers.get('link'), url) }
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
  const answer = await send(
    fetch,
    options.tokenUrl,
    {
      method: 'POST',
      headers: {
        ...ACCEPT,
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
  const token = atPath(toDocument(await readText(answer)), 'access_token')
  if (typeof token !== 'string' || token === '' || /[^\x21-\x7e]/.test(token))
    throw new SourceFault('login-refused', 'access_token')
  return token
}

/** Redirects are not followed: nobody configured where they lead, and they would get the secret. */
async function send(
  fetch: OutgoingFetch,
  url: string,
  init: { method?: string; headers: Record<string, string>; body?: string },
  { timeoutSeconds }: SourceSettings,
): Promise<Response> {
  const answer = await fetch(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutSeconds * 1000),
    maxResponseBytes: MAX_PAGE_BYTES,
  }).catch((error: unknown) => {
    throw toFault(error)
  })
  const { status } = answer
  if (status >= 200 && status < 300) return answer
  await answer.body?.cancel()
  const words = `HTTP ${status}`
  if (status >= 300 && status < 400) throw new SourceFault('referral', words)
  if (status === 429) throw new SourceFault('limited', words)
  if (status === 404 || status === 410) throw new SourceFault('no-table', words)
  if (status === 403) throw new SourceFault('no-rights', words)
  // A token endpoint answers 400 to an unknown client.
  throw new SourceFault(status === 401 || (status === 400 && init.method) ? 'login-refused' : 'failed', words)
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
  const { name, message, cause } = error as Error & { cause?: Error & { code?: string } }
  const code = cause?.code ?? ''
  const words = cause?.message ?? message
  if (name === 'TimeoutError') return new SourceFault('timeout')
  if (isTlsError(code)) return new SourceFault('tls', words)
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return new SourceFault('limited', `${MAX_PAGE_BYTES} B`)
  return new SourceFault(/RESET|SOCKET|EPIPE|ABORTED/.test(code) ? 'cut-off' : 'unreachable', words)
}

/** RFC 8288, the subset used for next pages. */
function nextOf(link: string | null, base: string): string | null {
  const [, target] = /<([^>]{1,2000})>\s*;[^,]{0,200}\brel="?next\b/i.exec((link ?? '').slice(0, 10_000)) ?? []
  if (target === undefined) return null
  return URL.canParse(target, base) ? new URL(target, base).href : null
}
