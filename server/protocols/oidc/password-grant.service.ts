import type { Account, KoaContextWithOIDC, Provider, TokenEndpointGrantContext } from 'oidc-provider'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import { endSsoSessions } from '../../features/sessions/index.ts'
import { signInByPassword } from '../../features/sign-in/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { listedSources, sidFor, subjectFor } from './claims.rules.ts'
import { recordEntry } from './codes.service.ts'
import {
  type ClientSession,
  currentRequest,
  findClientSession,
  isUsable,
  type OidcRequest,
  refusal,
} from './oidc-request.service.ts'
import { saveGrantFacts } from './presented-token.service.ts'
import { grantableScopes, OFFLINE_ACCESS } from './requested-scope.rules.ts'

type PasswordParameters = { username?: string; password?: string; scope?: string }
type Koa = TokenEndpointGrantContext<PasswordParameters>
type AccountFinder = (koa: KoaContextWithOIDC, userId: string) => Promise<Account | undefined>

export const PASSWORD_PARAMETERS = ['username', 'password', 'scope'] as const

/**
 * RFC 6749, 4.3: an application sends a person's password. Only for those registered for it. The login is like all others (lock-out, gate,
 * record) and opens a session of its own, which the tokens depend on.
 */
export const passwordGrant =
  (provider: Provider, findAccount: AccountFinder) =>
  async (koa: Koa): Promise<void> => {
    const { client, params } = koa.oidc
    const request = currentRequest()
    // A public client's login page could be anybody's.
    if (client.clientAuthMethod === 'none') throw refusal('unauthorized_client')
    if (!params.username || !params.password) throw refusal('invalid_request', 'username and password are needed')
    const clientSession = await loginByPassword(request, client.clientId, params.username, params.password)
    request.clientSession = clientSession
    const scopes = grantedScopes(clientSession, params.scope ?? 'openid')
    await recordEntry(request.ctx, clientSession)
    koa.oidc.entity('Account', await findAccount(koa, clientSession.session.userId))
    koa.body = await issueTokens(provider, koa, clientSession, scopes.join(' '))
  }

async function loginByPassword({ ctx, exchange }: OidcRequest, clientId: string, username: string, password: string) {
  const application = await findApplicationByClientId(ctx, clientId)
  if (!application) throw refusal('invalid_client')
  const form = { username, password, rememberMe: false, warn: false }
  const target = { application, replaces: null, withoutBrowser: true }
  const session = await signInByPassword(ctx, exchange, form, target).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    // A second factor, a captcha, a lock-out: all of that requires the person in a browser.
    throw refusal('invalid_grant', 'this login was refused; the person has to log in with a browser')
  })
  const clientSession = await findClientSession(ctx, session.id, application)
  // Rules by location can only use the address that the password came from.
  if (session.refusal === null && clientSession && isComplete(ctx, clientSession)) return clientSession
  await endSsoSessions(ctx, { ids: [session.id] }, 'refused')
  throw refusal('invalid_grant', 'this person may not use this application, or has to log in with a browser first')
}

const isComplete = (ctx: Context, clientSession: ClientSession): boolean =>
  isUsable(clientSession) &&
  listedSources(clientSession.application).every((source) => hasConsented(clientSession, source)) &&
  subjectFor(ctx, clientSession.application, clientSession.person) !== null

/** Nobody can be prompted here: only what the person consented to in a browser before counts. */
const hasConsented = ({ application, consented }: ClientSession, scope: string): boolean =>
  application.client?.consent !== 'explicit' || (consented ?? []).includes(scope)

const grantedScopes = (clientSession: ClientSession, requested: string): string[] =>
  grantableScopes(clientSession.application, requested.split(' ')).filter(
    (scope) => scope === OFFLINE_ACCESS || hasConsented(clientSession, scope),
  )

async function issueTokens(provider: Provider, koa: Koa, { session, application }: ClientSession, scope: string) {
  const { ctx } = currentRequest()
  const { client } = koa.oidc
  const grantId = randomToken(22)
  const sid = sidFor(ctx, session.id, application)
  const facts = { accountId: session.userId, client, grantId, gty: 'password', scope, sessionUid: session.id, sid }
  saveGrantFacts({ ...facts, clientId: client.clientId } as never)
  const access = new provider.AccessToken(facts as never)
  const accessToken = await access.save()
  const authTime = Math.floor(session.authenticatedAt.getTime() / 1000)
  const refresh = client.grantTypeAllowed('refresh_token')
    ? await new provider.RefreshToken({ ...facts, authTime, rotations: 0 } as never).save()
    : undefined
  return {
    access_token: accessToken,
    expires_in: access.expiration,
    token_type: access.tokenType,
    scope,
    ...(refresh && { refresh_token: refresh }),
    ...(scope.split(' ').includes('openid') && { id_token: await issueIdToken(provider, koa, accessToken, scope) }),
  }
}

async function issueIdToken(provider: Provider, koa: Koa, accessToken: string, scope: string): Promise<string> {
  const claims = await koa.oidc.account?.claims('id_token', scope, {}, [])
  const token = new provider.IdToken({ ...claims }, { ctx: koa })
  Object.assign(token, { scope, mask: {}, rejected: [] })
  token.set('at_hash', accessToken)
  return await token.issue({ use: 'idtoken' })
}
