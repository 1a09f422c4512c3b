import { coversAddress, parseWebAddress } from '#shared/rules/redirect-target.ts'
import type { Application } from '../../features/applications/index.ts'
import { insertProxyGrant } from '../../features/sessions/index.ts'
import { randomToken, sha256 } from '../../platform/crypto.ts'
import type { Context } from '../../platform/platform.ts'

/** 64 characters each, the maximum that every client must accept; neither reveals the other. */
const newPgt = () => `PGT-${randomToken(60)}`
const newPgtIou = () => `PGTIOU-${randomToken(57)}`

/** Lookup, connection, handshake and answer together. */
const CALLBACK_TIMEOUT_MS = 5_000
const MAX_PROXY_CHAIN = 10

type ProxyCallbackInput = {
  application: Application
  ssoSessionId: string
  /** As received: it names the proxy in every later answer. */
  pgtUrl: string
  /** The chain so far, the most recent first. */
  proxies: string[]
}

/**
 * Delivers a new proxy-granting ticket to the application's callback (protocol 2.5.4).
 * @returns the PGTIOU; null if the address is not registered, not https, has no valid certificate or does not answer 200.
 */
export async function obtainProxyGrantingTicket(ctx: Context, input: ProxyCallbackInput): Promise<string | null> {
  const { application, pgtUrl, proxies } = input
  const url = parseWebAddress(pgtUrl)
  if (url?.protocol !== 'https:' || proxies.length >= MAX_PROXY_CHAIN) return null
  if (!application.proxyCallbackUrls.some((registered) => coversAddress(registered, url))) return null
  const ticket = newPgt()
  const pgtIou = newPgtIou()
  if (!(await deliverTicket(ctx, pgtUrl, ticket, pgtIou))) return null
  const grant = { ssoSessionId: input.ssoSessionId, applicationId: application.id, proxies: [pgtUrl, ...proxies] }
  const isInserted = await insertProxyGrant(ctx.db, { ...grant, ticketHash: sha256(ticket), at: ctx.now() })
  return isInserted ? pgtIou : null
}

async function deliverTicket(ctx: Context, pgtUrl: string, ticket: string, pgtIou: string): Promise<boolean> {
  const address = pgtUrl.split('#', 1)[0] ?? ''
  const joint = address.includes('?') ? '&' : '?'
  try {
    const answer = await ctx.fetch(`${address}${joint}pgtId=${ticket}&pgtIou=${pgtIou}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(CALLBACK_TIMEOUT_MS),
    })
    await answer.body?.cancel()
    return answer.status === 200
  } catch (error) {
    // The URL contains the ticket, so only its host may be logged.
    ctx.log.warn({ host: new URL(pgtUrl).host, reason: reasonOf(error) }, 'proxy call-back failed')
    return false
  }
}

function reasonOf(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: string }; name?: string }
  return cause?.code ?? name ?? 'unknown'
}
