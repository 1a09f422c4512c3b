import type { Account, KoaContextWithOIDC, Provider, TokenEndpointGrantContext } from 'oidc-provider'
import { findApplicationByClientId } from '../../features/applications/index.ts'
import { browserSessionById, endSsoSessions } from '../../features/sessions/index.ts'
import { requireLoginType, signIn } from '../../features/sign-in/index.ts'
import { randomToken } from '../../platform/crypto.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Context } from '../../platform/platform.ts'
import { listedSources, sidFor, subjectFor } from './claims.ts'
import { allowedScopes } from './clients.ts'
import { noteEntry, rememberGrant } from './codes.ts'
import { currentRequest, isGood, type OidcRequest, refusal, type Standing, standingOfSession } from './oidc-request.ts'

type Asked = { username?: string; password?: string; scope?: string }
type Koa = TokenEndpointGrantContext<Asked>
type FindAccount = (koa: KoaContextWithOIDC, userId: string) => Promise<Account | undefined>

export const PASSWORD_PARAMETERS = ['username', 'password', 'scope'] as const

/**
 * RFC 6749, 4.3: an application hands over a person's password. Only for those that were registered with it. The login is one
 * like all others (locks, gate, record) and opens a session of its own, on which the tokens stand.
 */
export const passwordGrant =
  (provider: Provider, accountOf: FindAccount) =>
  async (koa: Koa): Promise<void> => {
    const { client, params } = koa.oidc
    const request = currentRequest()
    // A public client's login page could be anybody's.
    if (client.clientAuthMethod === 'none') throw refusal('unauthorized_client')
    if (!params.username || !params.password) throw refusal('invalid_request', 'username and password are needed')
    const standing = await standingOfPassword(request, client.clientId, params.username, params.password)
    request.standing = standing
    const scopes = (params.scope ?? 'openid').split(' ').filter((scope) => mayHave(standing, scope))
    await noteEntry(request.ctx, standing)
    koa.oidc.entity('Account', await accountOf(koa, standing.session.userId))
    koa.body = await issue(provider, koa, standing, scopes.join(' '))
  }

async function standingOfPassword(
  { ctx, exchange }: OidcRequest,
  clientId: string,
  username: string,
  password: string,
) {
  const application = await findApplicationByClientId(ctx, clientId)
  if (!application) throw refusal('invalid_client')
  const { request, reply } = exchange
  const plain = { rememberMe: false, warn: false, application, replaces: null, withoutBrowser: true }
  const open = async () => {
    await requireLoginType(ctx, 'user')
    return await signIn(ctx, request, reply, { username, password, ...plain })
  }
  const opened = await open().catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    // A second factor, a captcha, a lock: all of that is for the person in a browser.
    throw refusal('invalid_grant', 'this login was refused; the person has to log in with a browser')
  })
  const standing = await standingOfSession(ctx, opened.id, application)
  // The rules that ask where somebody is know nothing better here than where the password came from.
  const here = await browserSessionById(ctx, opened.id, application)
  if (here?.refusal === null && standing && isComplete(ctx, standing)) return standing
  await endSsoSessions(ctx, { ids: [opened.id] }, 'refused')
  throw refusal('invalid_grant', 'this person may not use this application, or has to log in with a browser first')
}

const isComplete = (ctx: Context, standing: Standing): boolean =>
  isGood(standing) &&
  listedSources(standing.application).every((source) => isAgreed(standing, source)) &&
  subjectFor(ctx, standing.application, standing.person) !== null

/** Nobody can be asked here: what the person agreed to in a browser before is all that there is. */
const isAgreed = ({ application, consented }: Standing, scope: string): boolean =>
  application.client?.consent !== 'explicit' || (consented ?? []).includes(scope)

const mayHave = (standing: Standing, scope: string): boolean =>
  allowedScopes(standing.application).has(scope) && isAgreed(standing, scope)

async function issue(provider: Provider, koa: Koa, { session, application }: Standing, scope: string) {
  const { ctx } = currentRequest()
  const { client } = koa.oidc
  const grantId = randomToken(22)
  const sid = sidFor(ctx, session.id, application)
  const facts = { accountId: session.userId, client, grantId, gty: 'password', scope, sessionUid: session.id, sid }
  rememberGrant({ ...facts, clientId: client.clientId } as never)
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
    ...(scope.split(' ').includes('openid') && { id_token: await idToken(provider, koa, accessToken) }),
  }
}

async function idToken(provider: Provider, koa: Koa, accessToken: string): Promise<string> {
  const claims = await koa.oidc.account?.claims('id_token', 'openid', {}, [])
  const token = new provider.IdToken({ ...claims }, { ctx: koa })
  Object.assign(token, { scope: 'openid', mask: {}, rejected: [] })
  token.set('at_hash', accessToken)
  return await token.issue({ use: 'idtoken' })
}
