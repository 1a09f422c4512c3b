import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Config } from '../../platform/config.ts'
import type { Platform } from '../../platform/platform.ts'
import { ACR_VALUES } from './authentication-context.rules.ts'
import { claimsByScope, SCOPES } from './claims.rules.ts'
import { mayIntrospect } from './clients.service.ts'
import { completeScope } from './requested-scope.rules.ts'
import { IMPLICIT_RESPONSE_TYPES } from './weak-grants.service.ts'

const HOUR = 3600
const REFRESH_SECONDS = 14 * 24 * HOUR

/** Ends with the sign-on session anyway; with constant refreshing at the latest this long after the first one. */
function refreshSeconds(_koa: KoaContextWithOIDC, token: object): number {
  const now = Math.floor(Date.now() / 1000)
  const { iiat = now } = token as { iiat?: number }
  const age = now - iiat
  return Math.max(1, REFRESH_SECONDS - age)
}

/** A cookie that binds a pending request to its browser. */
const cookieName = (config: Config, name: string) => (config.publicUrl.startsWith('https:') ? `__Secure-${name}` : name)

/** What doesn't depend on a request: paths, lifetimes, features. Everything else of OAuth stays off. */
export const fixedOptions = ({ config, secrets }: Platform): Configuration => ({
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
  // Which of these an application may use is part of its registration.
  responseTypes: ['code', ...IMPLICIT_RESPONSE_TYPES],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  // Each application has its own switch for that: `adaptIdTokens`.
  conformIdTokenClaims: false,
  allowOmittingSingleRegisteredRedirectUri: false,
  // Only for its validator: the one place where the provider lets a request's scopes be completed.
  extraParams: { access_type: completeScope } as never,
  acceptQueryParamAccessTokens: false,
  expiresWithSession: () => false,
  issueRefreshToken: (_koa, client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  clientBasedCORS: (_koa, origin, client) => (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin),
  discovery: { prompt_values_supported: ['none', 'login', 'consent', 'select_account'] },
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
  features: features(secrets),
})

const features = (secrets: Platform['secrets']): Configuration['features'] => ({
  devInteractions: { enabled: false },
  backchannelLogout: { enabled: true },
  claimsParameter: { enabled: true },
  clientCredentials: { enabled: true },
  deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
  // A nonce is required only for a proof whose clock is wrong; every node accepts those of all others.
  dPoP: { enabled: true, nonceSecret: secrets.mac('oidc dpop nonce'), requireNonce: () => false },
  introspection: { enabled: true, allowedPolicy: (_koa, client, token) => mayIntrospect(client, token) },
  pushedAuthorizationRequests: { enabled: true },
  resourceIndicators: { enabled: false },
  revocation: { enabled: true, allowedPolicy: (_koa, client, token) => token.clientId === client.clientId },
  rpInitiatedLogout: { enabled: true },
  userinfo: { enabled: true },
})
