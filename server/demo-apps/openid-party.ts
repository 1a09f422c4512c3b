import { createRemoteJWKSet, customFetch as jwksFetch, jwtVerify } from 'jose'
import * as openid from 'openid-client'
import { issuerOf } from '../features/signing-keys/index.ts'
import type { Platform } from '../platform/platform.ts'

/** The result of a login, and what keeps it alive. */
export type Login = {
  subject: string
  /** The session at the portal, by which a logout token names it. */
  sid: string
  idToken: string
  accessToken: string
  refreshToken: string | null
  /** When the access token must be renewed. */
  until: number
}

/** What must be kept from the start of a login to its end, in the browser that started it. */
export type Started = { verifier: string; state: string; nonce: string }

export type OpenIdParty = {
  start(home: string): Promise<{ address: string; started: Started }>
  finish(home: string, query: URLSearchParams, started: Started): Promise<Login>
  claims(login: Login): Promise<Record<string, unknown>>
  /** @throws Error if the portal no longer knows the login. */
  refresh(login: Login): Promise<Login>
  logOutAddress(home: string, idToken: string): Promise<string>
  /** The portal session that a logout token ends. @throws Error unless it is a logout token of the portal for us. */
  endedSession(token: string): Promise<string>
}

const CLIENT_ID = 'learning'
const SCOPE = 'openid profile email organization category roles'

/** Learning as a relying party: discovery, code flow with PKCE, refresh, logout in both directions, all by a certified client. */
export function createOpenIdParty(platform: Platform, machineOrigin: string): OpenIdParty {
  const issuer = issuerOf(platform.config)
  const { publicUrl } = platform.config
  // Server to server, the portal is reached at its own port, bypassing any proxy.
  const reach = (url: string) => (url.startsWith(publicUrl) ? machineOrigin + url.slice(publicUrl.length) : url)
  const fetchNear = (url: string, init?: object) => platform.fetch(reach(url), init as RequestInit)
  const discover = () =>
    openid.discovery(new URL(issuer), CLIENT_ID, undefined, openid.None(), {
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: fetchNear as never,
    })
  let known: Promise<openid.Configuration> | null = null
  const configuration = () => {
    known ??= discover()
    known.catch(() => {
      known = null
    })
    return known
  }
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`), { [jwksFetch]: fetchNear as never })
  const loginFrom = (tokens: openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers, before?: Login) => {
    const claims = tokens.claims()
    const sid = claims?.['sid']
    return {
      subject: claims?.sub ?? before?.subject ?? '',
      sid: typeof sid === 'string' ? sid : (before?.sid ?? ''),
      idToken: tokens.id_token ?? before?.idToken ?? '',
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? null,
      until: platform.now().getTime() + (tokens.expiresIn() ?? 0) * 1000,
    }
  }
  return {
    async start(home) {
      const started = {
        verifier: openid.randomPKCECodeVerifier(),
        state: openid.randomState(),
        nonce: openid.randomNonce(),
      }
      const address = openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri: `${home}callback`,
        scope: SCOPE,
        state: started.state,
        nonce: started.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(started.verifier),
        code_challenge_method: 'S256',
      })
      return { address: address.href, started }
    },
    async finish(home, query, { verifier, state, nonce }) {
      const here = new URL(`${home}callback?${query}`)
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
      return loginFrom(await openid.authorizationCodeGrant(await configuration(), here, checks))
    },
    async claims({ accessToken, subject }) {
      return await openid.fetchUserInfo(await configuration(), accessToken, subject)
    },
    async refresh(login) {
      if (!login.refreshToken) throw new Error('nothing to refresh with')
      return loginFrom(await openid.refreshTokenGrant(await configuration(), login.refreshToken), login)
    },
    async logOutAddress(home, idToken) {
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: `${home}goodbye` }
      return openid.buildEndSessionUrl(await configuration(), parameters).href
    },
    async endedSession(token) {
      const { payload } = await jwtVerify(token, keys, { issuer, audience: CLIENT_ID, typ: 'logout+jwt' })
      const { events, sid } = payload as { events?: Record<string, unknown>; sid?: string; nonce?: string }
      const isLogout = events?.['http://schemas.openid.net/event/backchannel-logout'] !== undefined
      if (!isLogout || typeof sid !== 'string' || 'nonce' in payload) throw new Error('not a logout token')
      return sid
    },
  }
}
