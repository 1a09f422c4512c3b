import { networkCode, networkProblem } from '../platform/network-problem.ts'
import { type ConnectorContext, ConnectorFault } from './connector.types.ts'

const RESPONSE_TIMEOUT_MS = 5_000

/** For a call that is not part of a login. */
export type CallBounds = { timeoutMs: number; maxResponseBytes: number }

type ProviderCall = {
  /** Names the call in a fault: `token`, `user` … */
  step: string
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  bounds?: CallBounds
  /** It reports errors of the caller with a status of 500 and above too. */
  failsWith500?: boolean
}

/** QQ sometimes wraps its JSON into a JSONP call. */
const JSONP = /^\s*callback\(\s*(\{.*\})\s*\)\s*;?\s*$/s

/**
 * Calls a provider and parses its answer as JSON, whatever its media type: several send text/plain or text/html. Redirects are not
 * followed, because nobody configured where they lead; limited to five seconds and 1 MiB unless bounds are given.
 * @throws ConnectorFault
 */
export async function callProvider(
  context: ConnectorContext,
  { step, url, failsWith500 = false, ...init }: ProviderCall,
): Promise<{ status: number; document: unknown }> {
  const { status, text } = await fetchText(context, step, url, init)
  if ((status >= 500 && !failsWith500) || status === 429) throw new ConnectorFault('unavailable', `${step} ${status}`)
  try {
    const document: unknown = JSON.parse(JSONP.exec(text)?.[1] ?? text)
    if (typeof document === 'object' && document !== null) return { status, document }
  } catch {
    // Reported below, without the text: it may contain a token.
  }
  const isAnswer = status === 400 || status === 401
  const code = status >= 400 ? String(status) : null
  throw new ConnectorFault(isAnswer ? 'refused' : 'unusable', `${step} ${status} without JSON`, code)
}

async function fetchText(
  context: ConnectorContext,
  step: string,
  url: string,
  { bounds, ...init }: RequestInit & { bounds?: CallBounds },
) {
  try {
    const answer = await context.fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(bounds?.timeoutMs ?? RESPONSE_TIMEOUT_MS),
      ...(bounds && { maxResponseBytes: bounds.maxResponseBytes }),
    })
    return { status: answer.status, text: await answer.text() }
  } catch (error) {
    throw unreachable(step, error)
  }
}

/** Requests a page as a browser would, without reading it. @returns its status. @throws ConnectorFault */
export async function probePage(context: ConnectorContext, step: string, url: string): Promise<number> {
  try {
    const answer = await context.fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    throw unreachable(step, error)
  }
}

function unreachable(step: string, error: unknown): ConnectorFault {
  const { name = 'failed' } = error as { name?: string }
  const network = networkProblem(error)
  // It has answered, and would answer the same again.
  const reason = network === 'too-large' ? 'unusable' : 'unavailable'
  return new ConnectorFault(reason, `${step} ${networkCode(error) ?? name}`, null, network)
}
