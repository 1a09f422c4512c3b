import { createHash, randomBytes } from 'node:crypto'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import type { Pool } from 'undici'
import { type Answer, expect, type Visitor } from './client.ts'
import { CLIENT } from './site.ts'

export type Tokens = { access_token: string; refresh_token: string; id_token: string }
export type Alg = 'RS256' | 'ES256'

/** An application's server, at one provider. */
export type Party = {
  pool: Pool
  issuer: string
  /** The path prefix of the issuer. */
  base: string
  authorizePath: string
  basic: string
  clientId: string
  alg: Alg
  keys: ReturnType<typeof createLocalJWKSet>
}

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** The client whose ID tokens use this algorithm. */
export const clientIdFor = (alg: Alg): string => `${CLIENT.id}-${alg.toLowerCase()}`

/** @param url the provider's origin; its issuer is `url` + `base`. */
export async function createParty(pool: Pool, url: string, base: string, alg: Alg): Promise<Party> {
  const clientId = clientIdFor(alg)
  const answer = await pool.request({ method: 'GET', path: `${base}/jwks` })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CLIENT.redirectUri,
    scope: 'openid profile',
    state: 'bench',
    nonce: 'bench',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  return {
    pool,
    issuer: url + base,
    base,
    authorizePath: `${base}/authorize?${query}`,
    basic: `Basic ${Buffer.from(`${clientId}:${CLIENT.secret}`).toString('base64')}`,
    clientId,
    alg,
    keys: createLocalJWKSet((await answer.body.json()) as JSONWebKeySet),
  }
}

async function ask({ pool, base, basic }: Party, path: string, form: Record<string, string>): Promise<Answer> {
  const answer = await pool.request({
    method: 'POST',
    path: base + path,
    headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  return { status: answer.statusCode, location: '', body: await answer.body.text() }
}

/** The code in the authorization endpoint's answer. */
export function codeIn(answer: Answer): string {
  const { searchParams } = new URL(answer.location, 'http://127.0.0.1')
  const code = searchParams.get('code')
  expect(answer.status === 303 && !!code && searchParams.get('state') === 'bench', 'expected a code', answer)
  return code ?? ''
}

export const codeOf = async ({ authorizePath }: Party, visitor: Visitor): Promise<string> =>
  codeIn(await visitor.get(authorizePath))

/**
 * Tokens for a grant, with the ID token verified as the application does: signature, issuer, audience, algorithm,
 * person.
 */
async function tokensFor(party: Party, form: Record<string, string>, account: string): Promise<Tokens> {
  const answer = await ask(party, '/token', form)
  expect(answer.status === 200, 'expected tokens', answer)
  const tokens = JSON.parse(answer.body) as Tokens
  const { issuer, clientId, alg, keys } = party
  const { payload } = await jwtVerify(tokens.id_token, keys, { issuer, audience: clientId, algorithms: [alg] })
  const right = payload.sub === account && !!tokens.access_token && !!tokens.refresh_token
  expect(right, `expected tokens of ${account}`, answer)
  return tokens
}

export const redeem = (party: Party, code: string, account: string): Promise<Tokens> =>
  tokensFor(
    party,
    { grant_type: 'authorization_code', code, redirect_uri: CLIENT.redirectUri, code_verifier: verifier },
    account,
  )

/** The tokens after a refresh; the refresh token must have been rotated. */
export async function refresh(party: Party, token: string, account: string): Promise<Tokens> {
  const tokens = await tokensFor(party, { grant_type: 'refresh_token', refresh_token: token }, account)
  if (tokens.refresh_token === token) throw new Error('the refresh token was not rotated')
  return tokens
}

/** Reads whom the token belongs to, as the application does. */
export async function checkUserinfo({ pool, base }: Party, token: string, account: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const reply = await pool.request({ method: 'GET', path: `${base}/userinfo`, headers })
  const answer = { status: reply.statusCode, location: '', body: await reply.body.text() }
  const right = answer.status === 200 && JSON.parse(answer.body).sub === account
  expect(right, `expected the claims of ${account}`, answer)
}

export async function introspect(party: Party, token: string, account: string): Promise<void> {
  const answer = await ask(party, '/introspect', { token })
  const { active, sub } = answer.status === 200 ? JSON.parse(answer.body) : {}
  expect(active === true && sub === account, `expected an active token of ${account}`, answer)
}

export async function clientCredentials(party: Party): Promise<void> {
  const answer = await ask(party, '/token', { grant_type: 'client_credentials' })
  expect(answer.status === 200 && !!JSON.parse(answer.body).access_token, 'expected a token', answer)
}

export async function discovery({ pool, base, issuer }: Party): Promise<void> {
  const reply = await pool.request({ method: 'GET', path: `${base}/.well-known/openid-configuration` })
  const answer = { status: reply.statusCode, location: '', body: await reply.body.text() }
  expect(answer.status === 200 && JSON.parse(answer.body).issuer === issuer, 'expected the issuer', answer)
}
