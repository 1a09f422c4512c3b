import { describe, expect, test } from 'vitest'
import { addPerson, logIn } from '../../testing/people.ts'
import { addClient, type Client, OIDC, post, token, userinfo } from '../../testing/relying-party.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code' as const
type Started = { device_code: string; user_code: string; verification_uri: string }

async function start(server: TestServer) {
  await addPerson(server, { account: 'lilei' })
  const client = await addClient(server, { appId: 'tv', grantTypes: [GRANT, 'refresh_token'], redirectUris: [] })
  const { body } = await post<Started>(client, `${OIDC}/device_authorization`, { scope: 'openid profile' })
  return { client, ...body }
}

const poll = (client: Client, code: string) => token(client, { grant_type: GRANT, device_code: code })

describe('device flow', () => {
  test('a person types the code, compares it, allows it, and the device gets its tokens once', async () => {
    const server = await testServer()
    const { client, device_code, user_code } = await start(server)
    expect((await poll(client, device_code)).body.error).toBe('authorization_pending')
    const browser = await logIn(server, 'lilei')
    const typed = await browser.post(`${OIDC}/device`, { user_code: user_code.toLowerCase() })
    expect(typed.text).toContain(user_code)
    const done = await browser.post(`${OIDC}/device`, { user_code, answer: 'allow' })
    expect(done.text).toContain('Your device is logged in')
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(client, device_code)))
    const [tokens, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect((await userinfo(server, tokens?.body.access_token ?? '')).body).toMatchObject({ sub: 'lilei' })
  })

  test('answered in two windows at once is connected once', async () => {
    const server = await testServer()
    const { user_code } = await start(server)
    const browser = await logIn(server, 'lilei')
    const answer = () => browser.post(`${OIDC}/device`, { user_code, answer: 'allow' })
    const pages = await Promise.all([answer(), answer(), answer()])
    expect(pages.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
    expect(await server.platform.sql`select from visit_records`).toHaveLength(1)
  })

  test('a refusal reaches the device, a wrong code says so, and without a login there is the login page', async () => {
    const server = await testServer()
    const { client, device_code, user_code } = await start(server)
    const browser = await logIn(server, 'lilei')
    expect((await browser.post(`${OIDC}/device`, { user_code: 'BBBBCCCC' })).status).toBe(404)
    await browser.post(`${OIDC}/device`, { user_code, answer: 'deny' })
    expect((await poll(client, device_code)).body.error).toBe('access_denied')
    const stranger = await fetch(`${server.url}${OIDC}/device`, { redirect: 'manual' })
    expect(stranger.headers.get('location')).toContain('/fwk_cas_service/login?service=')
  })

  test('leads whoever lacks a second factor that a rule asks for to setting one up', async () => {
    const server = await testServer()
    await addPerson(server, { account: 'lilei', isSuperUser: true })
    const browser = await logIn(server, 'lilei')
    const answer = await browser.get(`${OIDC}/device?user_code=ABCD`)
    const led = await browser.get(answer.location)
    expect(led.location).toContain('/auth_web/second-factor?service=')
  })

  test('leads whoever must change the password to that first, and back', async () => {
    const server = await testServer()
    await addPerson(server, { account: 'lilei', mustChangePassword: true })
    const browser = await logIn(server, 'lilei')
    const service = encodeURIComponent(`${server.url}${OIDC}/device?user_code=ABCD`)
    const answer = await browser.get(`${OIDC}/device?user_code=ABCD`)
    expect(answer.location).toBe(`${server.url}/auth_web/forgot-password?type=2&service=${service}`)
  })

  test('comes back from the login without a ticket in the address', async () => {
    const server = await testServer()
    await addPerson(server, { account: 'lilei' })
    const browser = await logIn(server, 'lilei')
    const device = `${server.url}${OIDC}/device?user_code=ABCD`
    const answer = await browser.get(`/fwk_cas_service/login?service=${encodeURIComponent(device)}`)
    expect(answer.location).toBe(device)
  })

  test('keeps no code that a device could log in with', async () => {
    const server = await testServer()
    const { client, device_code } = await start(server)
    const { sql } = server.platform
    const rows = await sql<{ text: string }[]>`select string_agg(to_jsonb(h)::text, '') as text from ephemeral_state h`
    expect(rows[0]?.text).toContain(client.id)
    expect(rows[0]?.text).not.toContain(device_code)
  })
})
