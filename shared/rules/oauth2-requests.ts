import type { OAuth2Settings } from '../contract/oauth2-settings.ts'

/** A request to a provider: sent by the connector, and previewed by the settings page. */
export type OAuth2Request = { method: 'GET' | 'POST'; url: string; headers: Record<string, string>; body?: string }

/** Parameters under this provider's names; one without a name is not sent. */
export function definedParameters(
  pairs: readonly (readonly [name: string, value: string | undefined])[],
): Record<string, string> {
  return Object.fromEntries(
    pairs.flatMap(([name, value]) => (name === '' || value === undefined ? [] : [[name, value]])),
  )
}

/** Adds parameters to an address and keeps existing ones. */
export function withParameters(address: string, parameters: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

type Authorization = { redirectUri: string; state: string; nonce: string; challenge: string; isOpenId: boolean }

/** The redirect of the browser. */
export function authorizeRequest(settings: OAuth2Settings, authorizeUrl: string, given: Authorization): OAuth2Request {
  const { names, clientId, scope, pkce, nonce, authorizeExtra } = settings
  const { redirectUri, state, challenge, isOpenId } = given
  const url = withParameters(authorizeUrl, {
    ...definedParameters([
      [names.clientId, clientId],
      [names.responseType, 'code'],
      [names.redirectUri, redirectUri],
      [names.scope, scope || (isOpenId ? 'openid' : undefined)],
      ['state', state],
      ['nonce', isOpenId && nonce ? given.nonce : undefined],
      ['code_challenge', pkce ? challenge : undefined],
      ['code_challenge_method', pkce ? 'S256' : undefined],
    ]),
    ...authorizeExtra,
  })
  return { method: 'GET', url, headers: {} }
}

type Redemption = { code: string; redirectUri: string; codeVerifier: string }

/** The parameters that redeem a code; not needed for an application's own token. */
export function codeParameters({ names, clientId, pkce, token }: OAuth2Settings, given: Redemption) {
  return definedParameters([
    [names.grantType, 'authorization_code'],
    [names.code, given.code],
    [names.redirectUri, given.redirectUri],
    // A public client identifies itself only by this.
    [names.clientId, token.auth === 'none' ? clientId : undefined],
    ['code_verifier', pkce ? given.codeVerifier : undefined],
  ])
}

/** Fills in `{{clientId}} {{clientSecret}} {{timestamp}} {{signature}}`. */
export const filledTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''))

const MEDIA_TYPES = { form: 'application/x-www-form-urlencoded', json: 'application/json' }

/** @param values for the templates in the headers. */
export function tokenRequest(
  settings: OAuth2Settings,
  {
    tokenUrl,
    parameters,
    values,
  }: { tokenUrl: string; parameters: Record<string, string>; values: Record<string, string> },
): OAuth2Request {
  const { token: call } = settings
  const secrets = call.auth === 'body' ? clientCredentials(settings) : {}
  const fields = { ...parameters, ...secrets, ...call.extra }
  const inQuery = call.body === 'query' || call.method === 'GET'
  const templates = Object.entries(call.headers).map(([name, template]) => [name, filledTemplate(template, values)])
  return {
    method: call.method,
    url: inQuery ? withParameters(tokenUrl, fields) : tokenUrl,
    headers: {
      accept: 'application/json',
      ...basicAuth(settings),
      ...(!inQuery && { 'content-type': MEDIA_TYPES[call.body === 'json' ? 'json' : 'form'] }),
      ...(Object.fromEntries(templates) as Record<string, string>),
    },
    ...(!inQuery && { body: call.body === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields).toString() }),
  }
}

const clientCredentials = ({ names, clientId, clientSecret }: OAuth2Settings) =>
  definedParameters([
    [names.clientId, clientId],
    [names.clientSecret, clientSecret],
  ])

/** RFC 6749, 2.3.1: both halves form-encoded first. */
function basicAuth({ token, clientId, clientSecret }: OAuth2Settings): Record<string, string> {
  if (token.auth !== 'basic' || clientSecret === undefined) return {}
  const half = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
  return { authorization: `Basic ${btoa(`${half(clientId)}:${half(clientSecret)}`)}` }
}

type UserCall = { userUrl: string; token: string; extra?: Record<string, string> }

/** Asks whom the token belongs to. */
export function userRequest({ user: call }: OAuth2Settings, { userUrl, token, extra = {} }: UserCall): OAuth2Request {
  const inField = call.token === 'query' || call.token === 'body'
  const fields = { ...extra, ...call.extra, ...(inField && { [call.tokenName]: token }) }
  const inBody = call.method === 'POST'
  return {
    method: call.method,
    url: inBody ? userUrl : withParameters(userUrl, fields),
    headers: {
      accept: 'application/json',
      ...(call.token === 'bearer' && { authorization: `Bearer ${token}` }),
      ...(call.token === 'header' && { [call.tokenName]: token }),
      ...(inBody && { 'content-type': 'application/json' }),
    },
    ...(inBody && { body: JSON.stringify(fields) }),
  }
}
