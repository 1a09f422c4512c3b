import { type ConnectorContext, ConnectorFault } from './connector.types.ts'

const RESPONSE_TIMEOUT_MS = 5_000

/** Of a call that is no part of a login. */
export type CallBounds = { timeoutMs: number; maxResponseBytes: number }

type ProviderCall = {
  /** Names the call in a fault: `token`, `user` … */
  step: string
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  bounds?: CallBounds
}

/** QQ wraps its JSON into a call when it feels like it. */
const JSONP = /^\s*callback\(\s*(\{.*\})\s*\)\s*;?\s*$/s

/**
 * Asks a provider and reads its answer as JSON, whatever media type it claims: several send text/plain or text/html.
 * A redirect is not followed, because nobody configured where it leads; five seconds and 1 MiB are the most
 * unless bounds are given.
 * @throws ConnectorFault
 */
export async function callProvider(
  context: ConnectorContext,
  { step, url, ...init }: ProviderCall,
): Promise<{ status: number; document: unknown }> {
  const { status, text } = await fetchText(context, step, url, init)
  if (status >= 500 || status === 429) throw new ConnectorFault('unavailable', `${step} ${status}`)
  try {
    const document: unknown = JSON.parse(JSONP.exec(text)?.[1] ?? text)
    if (typeof document === 'object' && document !== null) return { status, document }
  } catch {
    // Told below, without the text: it may hold a token.
  }
  throw new ConnectorFault(status >= 400 ? 'refused' : 'unusable', `${step} ${status} without JSON`)
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

/** Asks for a page as a browser would, and reads nothing of it. @returns its status. @throws ConnectorFault */
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
  const { cause, name } = error as { cause?: { code?: string }; name?: string }
  return new ConnectorFault('unavailable', `${step} ${cause?.code ?? name ?? 'failed'}`)
}
