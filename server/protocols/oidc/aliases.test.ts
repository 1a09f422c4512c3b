import { describe, expect, test } from 'vitest'
import { addPerson, changeApplication, logIn } from '../../testing/people.ts'
import { addClient, CHALLENGE, post, returned, SECRET, type Tokens, VERIFIER } from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

const BASE = '/fwk_cas_service/oauth2.0'

async function casTokens(server: TestServer, application = {}) {
  await addPerson(server, { account: 'lilei', name: 'Li Lei', mailbox: 'lilei@example.edu' })
  const client = await addClient(server, { appId: 'lms', ...application })
  const browser = await logIn(server, 'lilei')
  const query = `response_type=code&client_id=lms&redirect_uri=${encodeURIComponent(client.redirectUri)}&state=s`
  const answer = await browser.get(`${BASE}/authorize?${query}&code_challenge=${CHALLENGE}&code_challenge_method=S256`)
  const { body, status } = await post<Tokens>(client, `${BASE}/accessToken`, {
    grant_type: 'authorization_code',
    code: returned(answer)['code'],
    redirect_uri: client.redirectUri,
    code_verifier: VERIFIER,
  })
  return { client, tokens: body, status, answer }
}

const profile = (server: TestServer, query: string, headers = {}) =>
  fetch(`${server.url}${BASE}/profile${query}`, { headers }).then(async (answer) => ({
    status: answer.status,
    body: await answer.json(),
  }))

describe('addresses of the CAS family', () => {
  test('a code, tokens in its shape, and a nested profile without any scope asked for', async () => {
    const server = await testServer()
    const { tokens, answer } = await casTokens(server)
    expect(returned(answer)).toMatchObject({ state: 's' })
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    const nested = {
      id: 'lilei',
      client_id: 'lms',
      attributes: {
        name: 'Li Lei',
        preferred_username: 'lilei',
        email: 'lilei@example.edu',
        email_verified: true,
      },
    }
    expect((await profile(server, `?access_token=${tokens.access_token}`)).body).toEqual(nested)
    const bearer = { authorization: `Bearer ${tokens.access_token}` }
    expect((await profile(server, '', bearer)).body).toEqual(nested)
  })

  test('the profile releases what the application lists, flat where it is registered so', async () => {
    const server = await testServer()
    const attributes = ['name' as const, { name: 'tier', value: 'gold' }]
    const { tokens } = await casTokens(server, { attributes })
    const { body } = await profile(server, `?access_token=${tokens.access_token}`)
    expect(body).toEqual({ id: 'lilei', client_id: 'lms', attributes: { name: 'Li Lei', tier: 'gold' } })
    await changeApplication(server, 'lms', { profile_style: 'flat' })
    const flat = await profile(server, `?access_token=${tokens.access_token}`)
    expect(flat.body).toEqual({ id: 'lilei', client_id: 'lms', name: 'Li Lei', tier: 'gold' })
  })

  test('its words for a missing and an ended token', async () => {
    const server = await testServer()
    expect(await profile(server, '')).toEqual({ status: 401, body: { error: 'missing_accessToken' } })
    const unknown = await profile(server, '?access_token=AT-nonsense')
    expect(unknown).toEqual({ status: 401, body: { error: 'expired_accessToken' } })
  })

  test('introspection and revocation', async () => {
    const server = await testServer()
    const { client, tokens } = await casTokens(server)
    const active = () => post<{ active: boolean }>(client, `${BASE}/introspect`, { token: tokens.access_token })
    expect((await active()).body).toMatchObject({ active: true, sub: 'lilei' })
    expect((await post(client, `${BASE}/revoke`, { token: tokens.access_token })).status).toBe(200)
    expect((await active()).body).toEqual({ active: false })
  })

  test('tokens as one line of text, for a client that is registered for nothing newer', async () => {
    const server = await testServer()
    const { client } = await casTokens(server)
    await changeApplication(server, 'lms', { token_style: 'text' })
    const browser = await logIn(server, 'lilei')
    const query = `response_type=code&client_id=lms&redirect_uri=${encodeURIComponent(client.redirectUri)}`
    const challenge = `code_challenge=${CHALLENGE}&code_challenge_method=S256`
    const code = returned(await browser.get(`${BASE}/authorize?${query}&${challenge}`))['code'] ?? ''
    const answer = await fetch(`${server.url}${BASE}/accessToken`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`lms:${encodeURIComponent(SECRET)}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: client.redirectUri,
        code_verifier: VERIFIER,
      }),
    })
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const line = Object.fromEntries(new URLSearchParams(await answer.text()))
    expect(line['expires_in']).toBe('3600')
    expect((await profile(server, `?access_token=${line['access_token']}`)).status).toBe(200)
  })
})
