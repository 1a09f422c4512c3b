import { describe, expect, test } from 'vitest'
import { addPerson, changeApplication, logIn } from '../../testing/people.ts'
import {
  addClient,
  type Client,
  introspect,
  obtainTokens,
  refresh,
  type Tokens,
  userinfo,
} from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { purgeTokens } from './index.ts'

async function family(server: TestServer, application = {}, parameters = {}) {
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'lms', ...application })
  return { client, tokens: await obtainTokens(await logIn(server, 'lilei'), client, parameters) }
}

/** 50 at once, on two nodes. */
async function together(client: Client, token: string | undefined) {
  const nodes = [client, { ...client, server: await client.server.secondNode() }]
  return await Promise.all(Array.from({ length: 50 }, (_, i) => refresh(nodes[i % 2] as Client, token)))
}

const isAlive = async (client: Client, { access_token, refresh_token }: Partial<Tokens>) =>
  (await userinfo(client.server, access_token ?? '')).status === 200 &&
  (await refresh(client, refresh_token)).status === 200

describe('an application with a secret', () => {
  test('that refreshes 50 times at once on two nodes gets one answer 50 times, and goes on with it', async () => {
    const server = await testServer()
    const { client, tokens } = await family(server)
    const replies = await together(client, tokens.refresh_token)
    expect(new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
    const rows = await server.platform.sql`select from oidc_refresh_tokens`
    expect(rows).toHaveLength(2)
    expect(await isAlive(client, replies[0]?.body ?? {})).toBe(true)
  })

  test('that lost the answer gets it again for some seconds; later its family ends', async () => {
    const server = await testServer()
    const { client, tokens } = await family(server)
    const first = await refresh(client, tokens.refresh_token)
    server.advance(25)
    const second = await refresh(client, tokens.refresh_token)
    expect([second.status, second.body]).toEqual([200, first.body])
    server.advance(6)
    expect((await refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect(await isAlive(client, first.body)).toBe(false)
  })

  test('gets no other answer to another question, and does not lose its tokens by it', async () => {
    const server = await testServer()
    const { client, tokens } = await family(server, {}, { scope: 'openid profile' })
    const { body } = await refresh(client, tokens.refresh_token, { scope: 'openid' })
    expect((await refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect(await isAlive(client, body)).toBe(true)
  })

  test('gets nothing again when the family has ended or the person may not enter any more', async () => {
    const server = await testServer()
    const { client, tokens } = await family(server)
    await refresh(client, tokens.refresh_token)
    await changeApplication(server, 'lms', { type: 'system' })
    expect((await refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant')
    await changeApplication(server, 'lms', { type: 'whitelist' })
    const other = await addClient(server, { appId: 'other' })
    expect((await refresh(other, tokens.refresh_token)).body.error).toBe('invalid_grant')
    await server.platform.sql`update sso_sessions set ended_at = now()`
    expect((await refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('leaves its answer behind for minutes at most, and nobody can read it there', async () => {
    const server = await testServer()
    const { client, tokens } = await family(server)
    const { body } = await refresh(client, tokens.refresh_token)
    const { sql } = server.platform
    const [kept] = await sql<{ answer: string }[]>`select answer from oidc_refresh_tokens where answer is not null`
    const text = `${kept?.answer} ${Buffer.from(kept?.answer ?? '', 'base64url')}`
    for (const secret of [body.access_token, body.refresh_token ?? '', body.id_token ?? ''])
      expect(text).not.toContain(secret)
    server.advance(31)
    await purgeTokens(server.platform)
    expect(await sql`select from oidc_refresh_tokens where answer is not null`).toEqual([])
    expect(await sql`select from oidc_refresh_tokens`).toHaveLength(2)
  })
})

test('an application without a secret can not repeat a refresh: a refresh token used twice ends its family', async () => {
  const server = await testServer()
  const { client, tokens } = await family(server, { clientSecret: null })
  const replies = await together(client, tokens.refresh_token)
  const good = replies.filter(({ status }) => status === 200)
  expect(good.length).toBeLessThanOrEqual(1)
  for (const { body } of good) expect(await isAlive(client, body)).toBe(false)
  expect(await server.platform.sql`select from oidc_refresh_tokens where answer is not null`).toEqual([])
})

describe('offline_access', () => {
  test('is granted without a question, also when it is asked for again at refresh', async () => {
    const server = await testServer()
    const { client, tokens } = await family(server, { consent: 'implicit' }, { scope: 'openid email offline_access' })
    expect(tokens.scope).toBe('openid email offline_access')
    const again = await refresh(client, tokens.refresh_token, { scope: 'openid email offline_access' })
    expect([again.status, again.body.scope]).toEqual([200, 'openid email offline_access'])
    expect((await introspect(client, again.body.access_token)).body).toMatchObject({
      scope: 'openid email offline_access',
    })
  })

  test('is left out for an application that may not refresh', async () => {
    const server = await testServer()
    const { tokens } = await family(server, { grantTypes: ['authorization_code'] }, { scope: 'openid offline_access' })
    expect([tokens.scope, tokens.refresh_token]).toEqual(['openid', undefined])
  })

  test('ends with the session like everything else', async () => {
    const server = await testServer()
    const { client, tokens } = await family(server, {}, { scope: 'openid offline_access' })
    await server.platform.sql`update sso_sessions set ended_at = now()`
    expect((await refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant')
  })
})
