import { describe, expect, test } from 'vitest'
import { addPerson, changeApplication, logIn } from '../../testing/people.ts'
import {
  addClient,
  authorize,
  type Client,
  introspect,
  OIDC,
  obtainTokens,
  post,
  redeem,
  refresh,
  returned,
  SECRET,
  type Tokens,
  token,
  userinfo,
} from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { purgeTokens } from './oidc.jobs.ts'

async function oneClient(server: TestServer, application: Partial<Parameters<typeof addClient>[1]> = {}) {
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'lms', ...application })
  const browser = await logIn(server, 'lilei')
  const newCode = async (parameters = {}) => returned(await authorize(browser, client, parameters))['code'] ?? ''
  return { client, browser, newCode }
}

const good = <T>(replies: { status: number; body: T }[]) => replies.filter(({ status }) => status === 200)

describe('a code', () => {
  test('redeemed 50 times at once on two nodes gives one set of tokens, and that is revoked', async () => {
    const server = await testServer()
    const second = await server.secondNode()
    const { client, newCode } = await oneClient(server)
    const code = await newCode()
    const nodes = [client, { ...client, server: second }]
    const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => redeem(nodes[i % 2] as Client, code)))
    expect(good(replies)).toHaveLength(1)
    const [tokens] = good(replies)
    expect((await userinfo(server, tokens?.body.access_token ?? '')).status).toBe(401)
    expect((await refresh(client, tokens?.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('used again after 30 seconds ends what the first use gave', async () => {
    const server = await testServer()
    const { client, newCode } = await oneClient(server)
    const code = await newCode()
    const { body } = await redeem(client, code)
    expect((await userinfo(server, body.access_token)).status).toBe(200)
    server.advance(31)
    expect((await redeem(client, code)).body.error).toBe('invalid_grant')
    expect((await userinfo(server, body.access_token)).status).toBe(401)
  })

  test('lives a minute', async () => {
    const server = await testServer()
    const { client, newCode } = await oneClient(server)
    const code = await newCode()
    server.advance(61)
    expect((await redeem(client, code)).body.error).toBe('invalid_grant')
  })

  test('of a session that has been deleted is worthless', async () => {
    const server = await testServer()
    const { client, newCode } = await oneClient(server)
    const code = await newCode()
    await server.platform.sql`delete from sso_sessions`
    expect((await redeem(client, code)).body.error).toBe('invalid_grant')
    expect((await redeem(client, code)).body.error).toBe('invalid_grant')
  })

  test('is forgotten ten minutes after it was issued', async () => {
    const server = await testServer()
    const { sql } = server.platform
    const { client, newCode } = await oneClient(server)
    const code = await newCode()
    server.advance(599)
    await purgeTokens(server.platform)
    expect(await sql`select from oidc_codes`).toHaveLength(1)
    server.advance(2)
    await purgeTokens(server.platform)
    expect(await sql`select from oidc_codes`).toEqual([])
    expect((await redeem(client, code)).body.error).toBe('invalid_grant')
  })

  test('of one application is worthless to another, and burned by the attempt', async () => {
    const server = await testServer()
    const { client, newCode } = await oneClient(server)
    const other = await addClient(server, { appId: 'other' })
    const code = await newCode()
    const stolen = await redeem({ ...other, redirectUri: client.redirectUri }, code)
    expect(stolen.body.error).toBe('invalid_grant')
    expect((await redeem(client, code)).body.error).toBe('invalid_grant')
  })

  test.each([
    ['another redirect_uri', { redirect_uri: 'https://lms.test/other' }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['no verifier', { code_verifier: undefined }],
    ['a wrong verifier', { code_verifier: 'b'.repeat(43) }],
    ['a verifier that is too short', { code_verifier: 'short' }],
  ])('is not redeemed with %s', async (_what, fields) => {
    const server = await testServer()
    const { client, newCode } = await oneClient(server)
    const { status, body } = await redeem(client, await newCode(), fields)
    expect(status).toBe(400)
    expect(body.error).toMatch(/^invalid_(grant|request)$/)
    expect(body).not.toHaveProperty('access_token')
  })

  test('that was asked for without a challenge takes no verifier', async () => {
    const server = await testServer()
    const { client, newCode } = await oneClient(server)
    const code = await newCode({ code_challenge: undefined, code_challenge_method: undefined })
    expect((await redeem(client, code)).body.error).toBe('invalid_grant')
  })
})

describe('a refresh token', () => {
  test('belongs to its application, and never gives more than before', async () => {
    const server = await testServer()
    const { client, browser } = await oneClient(server)
    const other = await addClient(server, { appId: 'other' })
    const { refresh_token } = await obtainTokens(browser, client, { scope: 'openid' })
    expect((await refresh(other, refresh_token)).body.error).toBe('invalid_grant')
    expect((await refresh(client, refresh_token, { scope: 'openid phone' })).body.error).toBe('invalid_scope')
    expect((await refresh(client, refresh_token)).status).toBe(200)
  })
})

describe('an application', () => {
  test.each([
    ['a wrong secret', { secret: 'wrong' }],
    ['another case', { secret: SECRET.toUpperCase() }],
    ['a truncated secret', { secret: SECRET.slice(0, -1) }],
  ])('with %s is refused', async (_what, changes) => {
    const server = await testServer()
    const { client } = await oneClient(server)
    const { status, body, headers } = await token({ ...client, ...changes }, { grant_type: 'client_credentials' })
    expect([status, body.error]).toEqual([401, 'invalid_client'])
    expect(headers.get('www-authenticate')).toContain('Basic')
  })

  test('is still believed while somebody else guesses at its secret', async () => {
    const server = await testServer({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
    const { client } = await oneClient(server, {
      clientSecret: 'a secret that nobody has shown yet',
      grantTypes: ['client_credentials'],
    })
    const from = (address: string, secret: string | null) =>
      post<Tokens>(
        { ...client, secret },
        `${OIDC}/token`,
        { grant_type: 'client_credentials' },
        { 'x-forwarded-for': address },
      )
    for (let i = 0; i < 30; i += 1) expect((await from('192.0.2.1', 'wrong')).status).toBe(401)
    expect((await from('192.0.2.1', client.secret)).status).toBe(401)
    expect((await from('192.0.2.2', client.secret)).status).toBe(200)
  })

  test('may not prove itself in the address, twice, or not at all', async () => {
    const server = await testServer()
    const { client } = await oneClient(server)
    const open = { ...client, secret: null }
    const inAddress = await post(open, `${OIDC}/token?client_id=lms&client_secret=${SECRET}`, {
      grant_type: 'client_credentials',
    })
    const twice = await token(client, { grant_type: 'client_credentials', client_id: 'lms', client_secret: SECRET })
    const empty = await token(open, { grant_type: 'client_credentials', client_secret: '' })
    for (const { status, body } of [inAddress, twice, empty]) {
      expect([400, 401]).toContain(status)
      expect(body).not.toHaveProperty('access_token')
    }
  })

  test('gets a token for itself, which says nothing of any person', async () => {
    const server = await testServer()
    const { client } = await oneClient(server, { grantTypes: ['client_credentials'], redirectUris: [] })
    const { body } = await token(client, { grant_type: 'client_credentials' })
    expect((await introspect(client, body.access_token)).body).toMatchObject({ active: true, client_id: 'lms' })
    expect((await userinfo(server, body.access_token)).status).toBe(401)
    await changeApplication(server, 'lms', { enabled: false })
    const other = await addClient(server, { appId: 'other' })
    expect((await introspect(other, body.access_token)).body).toEqual({ active: false })
    expect((await token(client, { grant_type: 'client_credentials' })).body.error).toBe('invalid_client')
  })

  test('never gets a token for a password, nor one in an address', async () => {
    const server = await testServer()
    const { client, browser } = await oneClient(server)
    const password = await token(client, { grant_type: 'password', username: 'lilei', password: 'Correct-horse-9' })
    expect(password.body.error).toBe('unsupported_grant_type')
    for (const responseType of ['token', 'id_token token', 'id_token', 'code token']) {
      const answer = await authorize(browser, client, { response_type: responseType })
      expect(answer.location + answer.text).toMatch(/unsupported_response_type/)
    }
  })

  test('finds nothing of its tokens in clear in the database', async () => {
    const server = await testServer()
    const { client, browser } = await oneClient(server)
    const tokens = await obtainTokens(browser, client)
    const code = returned(await authorize(browser, client))['code'] ?? ''
    const { sql } = server.platform
    const everything = await sql<{ text: string }[]>`
      select string_agg(t::text, '') as text from (
        select to_jsonb(a) as t from oidc_access_tokens a union all select to_jsonb(r) from oidc_refresh_tokens r
        union all select to_jsonb(h) from ephemeral_state h union all select to_jsonb(p) from applications p
        union all select to_jsonb(k) from signing_keys k) as all_rows`
    const text = everything[0]?.text ?? ''
    for (const secret of [tokens.access_token, tokens.refresh_token ?? '', code, SECRET]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret).toString('hex'))
    }
    expect(text).not.toMatch(/"d": ?"/)
  })
})
