import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Config } from '../../platform/config.ts'
import { ACR_VALUES } from './authentication-context.ts'
import { claimsByScope, SCOPES } from './claims.ts'
import { IMPLICIT_RESPONSES } from './weak-grants.ts'

const HOUR = 3600
const REFRESH_SECONDS = 14 * 24 * HOUR

/** Ends with the sign-on session anyway; under constant refreshing never later than this after the first one. */
function refreshSeconds(_koa: KoaContextWithOIDC, token: object): number {
  const now = Math.floor(Date.now() / 1000)
  const { iiat = now } = token as { iiat?: number }
  const age = now - iiat
  return Math.max(1, REFRESH_SECONDS - age)
}

/** A cookie that binds a waiting request to its browser. */
const cookieName = (config: Config, name: string) => (config.publicUrl.startsWith('https:') ? `__Secure-${name}` : name)

/** What never depends on a request: addresses, lifetimes, features. Everything else of OAuth stays off. */
export const fixedOptions = (config: Config): Configuration => ({
  routes: {
    authorization: '/authorize',
    token: '/token',
    userinfo: '/userinfo',
    jwks: '/jwks',
    introspection: '/introspect',
    revocation: '/revoke',
    end_session: '/logout',
    pushed_authorization_request: '/par',
    device_authorization: '/device_authorization',
    code_verification: '/device',
  },
  scopes: SCOPES,
  claims: claimsByScope(),
  acrValues: ACR_VALUES,
  subjectTypes: ['public', 'pairwise'],
  // Which of these an application may use is its own registration.
  responseTypes: ['code', ...IMPLICIT_RESPONSES],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  conformIdTokenClaims: true,
  allowOmittingSingleRegisteredRedirectUri: false,
  acceptQueryParamAccessTokens: false,
  expiresWithSession: () => false,
  issueRefreshToken: (_koa, client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  clientBasedCORS: (_koa, origin, client) => (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin),
  pkce: { required: (_koa, client) => client.clientAuthMethod === 'none' },
  enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
  cookies: {
    names: {
      interaction: cookieName(config, 'gatehouse_oidc'),
      resume: cookieName(config, 'gatehouse_oidc_resume'),
      session: cookieName(config, 'gatehouse_oidc_unused'),
    },
    short: { httpOnly: true, sameSite: 'lax', secure: config.publicUrl.startsWith('https:'), signed: false },
    long: { httpOnly: true, sameSite: 'lax', signed: false },
  },
  ttl: {
    AccessToken: HOUR,
    AuthorizationCode: 60,
    ClientCredentials: HOUR,
    DeviceCode: 600,
    IdToken: HOUR,
    Interaction: HOUR,
    RefreshToken: refreshSeconds,
    Session: HOUR,
    Grant: HOUR,
  },
  features: {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    claimsParameter: { enabled: true },
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
    dPoP: { enabled: false },
    // An application may ask about its own tokens, a confidential one about those that it is shown.
    introspection: {
      enabled: true,
      allowedPolicy: (_koa, client, token) => client.clientAuthMethod !== 'none' || token.clientId === client.clientId,
    },
    pushedAuthorizationRequests: { enabled: true },
    resourceIndicators: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_koa, client, token) => token.clientId === client.clientId },
    rpInitiatedLogout: { enabled: true },
    userinfo: { enabled: true },
  },
})
