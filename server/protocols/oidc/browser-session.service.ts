import type { KoaContextWithOIDC, Provider, Session } from 'oidc-provider'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import { ssoCookieOf } from '../../features/sessions/index.ts'
import { sha256 } from '../../platform/crypto.ts'
import { findInteraction } from './artifacts.service.ts'
import { authenticationContext } from './authentication-context.rules.ts'
import { sidFor } from './claims.rules.ts'
import {
  type ClientSession,
  currentRequest,
  findBrowserClientSession,
  type OidcRequest,
} from './oidc-request.service.ts'

/**
 * The provider's session of a request: a view of our one sign-on session, built each time and never stored, so that nobody is logged in
 * here who is not logged in there.
 */
export async function createProviderSession(provider: Provider, koa: KoaContextWithOIDC): Promise<Session> {
  const request = currentRequest()
  request.clientSession = await findCookieClientSession(request, await findClientId(koa))
  const session = new provider.Session()
  const { clientSession } = request
  if (clientSession?.session.refusal === null || isApplicationRefusal(clientSession))
    fillSession(session, request, clientSession as ClientSession)
  // Permanently false: whatever the provider changes in it, it neither saves it nor sets a cookie.
  Object.defineProperty(session, 'touched', { value: false, writable: false, configurable: false })
  koa.oidc.entity('Session', session)
  return session
}

/** Logged in, but not allowed into this application: that has its own answer, as another login would not help. */
export const isApplicationRefusal = (clientSession: ClientSession | null): boolean =>
  clientSession?.session.refusal === 'rule.refused' ||
  clientSession?.session.refusal?.startsWith('application.') === true

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * Determines the client before the parameters are checked; an unknown one gets no session, and then its error. For a pending request only
 * the stored values count: the person could change the URL.
 */
async function findClientId(koa: KoaContextWithOIDC): Promise<string | null> {
  if (koa.oidc.route !== 'resume') return text(koa.query['client_id'])
  const { uid } = (koa as unknown as { params: { uid: string } }).params
  const kept = await findInteraction(currentRequest().ctx, uid)
  return text((kept?.payload['params'] as Record<string, unknown> | undefined)?.['client_id'])
}

async function findCookieClientSession(
  { ctx, exchange }: OidcRequest,
  clientId: string | null,
): Promise<ClientSession | null> {
  const secret = ssoCookieOf(exchange.request)
  if (!secret || secret.length > 100 || clientId === null) return null
  const application = await findApplicationByClientId(ctx, clientId)
  return application && (await findBrowserClientSession(ctx, sha256(secret), application))
}

function fillSession(session: Session, { ctx }: OidcRequest, { session: own, application }: ClientSession): void {
  const sid = sidFor(ctx, own.id, application)
  const loginTs = Math.floor(own.authenticatedAt.getTime() / 1000)
  let grantId: string | undefined
  Object.assign(session, { uid: own.id, accountId: own.userId, loginTs, ...authenticationContext(own) })
  Object.defineProperties(session, {
    sidFor: { value: () => sid },
    ensureClientContainer: { value: () => {} },
    grantIdFor: {
      value: (_clientId: string, given?: string) => {
        if (given) grantId = given
        return grantId
      },
    },
    // By our clock, which tests move.
    past: { value: (seconds: number | string) => ctx.now().getTime() / 1000 - loginTs > Number(seconds) },
  })
}
