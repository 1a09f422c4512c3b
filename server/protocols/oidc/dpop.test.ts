import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import { addPerson, logIn } from '../../testing/people.ts'
import {
  addClient,
  authorize,
  type Client,
  introspect,
  OIDC,
  post,
  returned,
  type Tokens,
  userinfo,
  VERIFIER,
} from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

type Key = Awaited<ReturnType<typeof generateKeyPair>>
type Proof = { key: Key; method?: string; path?: string; claims?: object; at?: number }

/** A proof of possession (RFC 9449, 4.2), optionally with errors. */
async function proof(server: TestServer, { key, method = 'POST', path = '/token', claims = {}, at = 0 }: Proof) {
  const jwk = await exportJWK(key.publicKey)
  const iat = Math.floor(Date.now() / 1000) + at
  return await new SignJWT({
    htm: method,
    htu: `${server.url}${OIDC}${path}`,
    jti: crypto.randomUUID(),
    iat,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
    .sign(key.privateKey)
}

async function setUp(server: TestServer, application = {}) {
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'spa', ...application })
  const browser = await logIn(server, 'lilei')
  const code = async () => returned(await authorize(browser, client))['code']
  return { client, browser, code, key: await generateKeyPair('ES256') }
}

type Answer = Tokens & { error?: string; error_description?: string }

const redeemWith = (client: Client, code: string | undefined, dpop: string) =>
  post<Answer>(
    client,
    `${OIDC}/token`,
    { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, code_verifier: VERIFIER },
    { dpop },
  )

const refreshWith = (client: Client, token: string | undefined, dpop?: string) =>
  post<Answer>(client, `${OIDC}/token`, { grant_type: 'refresh_token', refresh_token: token }, dpop ? { dpop } : {})

test('a certified client binds its tokens to its key, and the key is asked for at userinfo and refresh', async () => {
  const server = await testServer()
  const { client, browser } = await setUp(server, { clientSecret: null })
  const config = await openid.discovery(new URL(`${server.url}${OIDC}`), client.id, undefined, openid.None(), {
    execute: [openid.allowInsecureRequests],
  })
  expect(config.serverMetadata().dpop_signing_alg_values_supported).toContain('ES256')
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
  const verifier = openid.randomPKCECodeVerifier()
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: client.redirectUri,
    scope: 'openid profile',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const { location } = await browser.get(address.href)
  const checks = { pkceCodeVerifier: verifier }
  const tokens = await openid.authorizationCodeGrant(config, new URL(location), checks, undefined, { DPoP })
  expect(tokens.token_type).toBe('dpop')
  expect(await openid.fetchUserInfo(config, tokens.access_token, 'lilei', { DPoP })).toMatchObject({ sub: 'lilei' })
  expect((await userinfo(server, tokens.access_token)).status).toBe(401)
  const stranger = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
  await expect(openid.fetchUserInfo(config, tokens.access_token, 'lilei', { DPoP: stranger })).rejects.toThrow()
  await expect(openid.refreshTokenGrant(config, tokens.refresh_token ?? '', {}, { DPoP: stranger })).rejects.toThrow()
  const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', {}, { DPoP })
  expect(await openid.fetchUserInfo(config, next.access_token, 'lilei', { DPoP })).toMatchObject({ sub: 'lilei' })
})

test('introspection names the key of a token, so that a resource server can ask for it', async () => {
  const server = await testServer()
  const { client, code, key } = await setUp(server)
  const api = await addClient(server, { appId: 'api', resourceServer: true })
  const { body } = await redeemWith(client, await code(), await proof(server, { key }))
  const jkt = await calculateJwkThumbprint(await exportJWK(key.publicKey))
  expect((await introspect(api, body.access_token)).body).toMatchObject({
    active: true,
    token_type: 'DPoP',
    cnf: { jkt },
  })
})

describe('a proof', () => {
  test('is good once, of 20 uses at the same time', async () => {
    const server = await testServer()
    const { client, code, key } = await setUp(server)
    const once = await proof(server, { key })
    const codes = [] as (string | undefined)[]
    for (let i = 0; i < 20; i += 1) codes.push(await code())
    const replies = await Promise.all(codes.map((one) => redeemWith(client, one, once)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test.each<[string, Omit<Proof, 'key'>]>([
    ['another address', { path: '/userinfo' }],
    ['another method', { method: 'GET' }],
    ['no number of its own', { claims: { jti: '' } }],
    ['a nonce that is none of ours', { claims: { nonce: 'made-up' } }],
  ])('with %s is refused', async (_what, wrong) => {
    const server = await testServer()
    const { client, code, key } = await setUp(server)
    const { status, body } = await redeemWith(client, await code(), await proof(server, { key, ...wrong }))
    expect(status).toBe(400)
    expect(body.error).toMatch(/^(invalid_dpop_proof|use_dpop_nonce)$/)
  })

  test('of a clock that is wrong is good with the nonce that the server offers', async () => {
    const server = await testServer()
    const { client, code, key } = await setUp(server)
    const late = { key, at: -3600 }
    const refused = await redeemWith(client, await code(), await proof(server, late))
    expect(refused.body.error).toBe('use_dpop_nonce')
    const nonce = refused.headers.get('dpop-nonce')
    const second = await server.secondNode()
    const again = await proof(second, { ...late, claims: { nonce } })
    const good = await redeemWith({ ...client, server: second }, await code(), again)
    expect([good.status, good.body.error_description]).toEqual([200, undefined])
  })

  test('of another key gets no second answer of a refresh', async () => {
    const server = await testServer()
    const { client, code, key } = await setUp(server)
    const { body } = await redeemWith(client, await code(), await proof(server, { key }))
    const first = await refreshWith(client, body.refresh_token, await proof(server, { key }))
    const retried = await refreshWith(client, body.refresh_token, await proof(server, { key }))
    expect(retried.body).toEqual(first.body)
    const thief = await proof(server, { key: await generateKeyPair('ES256') })
    for (const dpop of [thief, undefined]) {
      expect((await refreshWith(client, body.refresh_token, dpop)).body.error).toBe('invalid_grant')
    }
  })
})
