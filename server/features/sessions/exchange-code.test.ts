import { expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { callAs, handOverCode, insertLogin, insertPerson, openPortal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { signedFetch } from '../../testing/signed.ts'

const redeem = (server: TestServer, browser: ReturnType<typeof createBrowser>, jsessionid: string) =>
  callAs<{ token: string }>(server, browser, '/login/pc/', { body: { jsessionid, serviceId: 'portal' } })

async function aLogin() {
  const server = await testServer()
  const userId = await insertPerson(server, { account: 'lilei' })
  const browser = createBrowser(server)
  const ssoSessionId = await insertLogin(server, userId)
  return { server, browser, ssoSessionId, userId, code: await handOverCode(server, browser, ssoSessionId) }
}

test('the code in the address opens the portal once', async () => {
  const { server, browser, userId, code } = await aLogin()
  const first = await redeem(server, browser, code)
  expect(first.status).toBe(200)
  expect(first.data).toMatchObject({
    token: expect.stringMatching(/^\w{43}$/),
    fwkAuthUserInformation: { userId, account: 'lilei', isSuperUser: '0', firstLogin: '0' },
  })
  const second = await redeem(server, browser, code)
  expect(second).toMatchObject({ status: 401, envelope: { code: 'session.hand-over-invalid' } })
})

test('of parallel attempts with one code exactly one succeeds', async () => {
  const { server, browser, code } = await aLogin()
  const node = await server.secondNode()
  const tries = await Promise.all(Array.from({ length: 20 }, (_, i) => redeem(i % 2 ? node : server, browser, code)))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('in another browser, or in one without its cookie, the code is invalid and consumed', async () => {
  for (const cookie of ['a'.repeat(32), undefined]) {
    const { server, browser, code } = await aLogin()
    const other = createBrowser(server)
    if (cookie) other.setCookie('gatehouse_browser', cookie)
    expect((await redeem(server, other, code)).status).toBe(401)
    expect((await redeem(server, browser, code)).status).toBe(401)
  }
})

test('after sixty seconds the code is worthless', async () => {
  const { server, browser, code } = await aLogin()
  server.advance(61)
  expect((await redeem(server, browser, code)).status).toBe(401)
})

test('a code issued before the clock was set back is invalid; the clocks of two nodes may differ a little', async () => {
  for (const [seconds, status] of [
    [-3600, 401],
    [-30, 200],
  ] as const) {
    const { server, browser, code } = await aLogin()
    server.advance(seconds)
    expect([seconds, (await redeem(server, browser, code)).status]).toEqual([seconds, status])
  }
})

test('a code of a session that has ended meanwhile opens nothing and writes nothing', async () => {
  const { server, browser, ssoSessionId, code } = await aLogin()
  await server.platform.sql`update sso_sessions set ended_at = ${server.platform.now()} where id = ${ssoSessionId}`
  expect((await redeem(server, browser, code)).status).toBe(401)
  expect(await server.platform.sql`select from portal_sessions`).toHaveLength(0)
})

test.each(['enabled = false', 'locked_at = now()', "frozen_from = now() - interval '1 day'", 'deleted_at = now()'])(
  'a code of a person whose account got %s opens nothing',
  async (change) => {
    const { server, browser, userId, code } = await aLogin()
    await server.platform.sql.unsafe(`update users set ${change} where id = '${userId}'`)
    expect((await redeem(server, browser, code)).status).toBe(401)
  },
)

test('a cookie planted before the login is not the cookie after it', async () => {
  const { server, browser, code } = await aLogin()
  browser.setCookie('gatehouse_portal', 'planted')
  await redeem(server, browser, code)
  expect(browser.cookie('gatehouse_portal')).toMatch(/^\w{43}$/)
})

test('the cookie without the token, or the token without the cookie, authenticates nobody', async () => {
  const server = await testServer()
  const page = await openPortal(server)
  const own = await page.call('/certification_record/current_login/')
  expect(own.status).toBe(200)
  const cookie = page.browser.cookieHeader('/auth_service/')
  const other = await openPortal(server)
  const foreignCookie = other.browser.cookieHeader('/auth_service/')
  for (const proof of [
    { cookie },
    { token: page.token },
    { cookie: foreignCookie, token: page.token },
    { cookie, token: '' },
  ]) {
    const answer = await signedFetch(server, '/certification_record/current_login/', proof)
    expect(answer.status, JSON.stringify(proof)).toBe(401)
  }
})

test('a login again in the same browser replaces its portal session', async () => {
  const { server, browser, ssoSessionId, code } = await aLogin()
  await redeem(server, browser, code)
  await redeem(server, browser, await handOverCode(server, browser, ssoSessionId))
  expect(await server.platform.sql`select from portal_sessions`).toHaveLength(1)
})

test.each([
  ['http', {}, /^gatehouse_portal=\w{43}; Path=\/; HttpOnly; SameSite=Lax$/],
  [
    'https',
    { PUBLIC_URL: 'https://sso.school.test' },
    /^__Host-gatehouse_portal=\w{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  ],
])('under %s the portal cookie has every protection that there is', async (scheme, env, expected) => {
  const behindProxy = await testServer({ env: env as Record<string, string> })
  const server = { ...behindProxy, url: `http://127.0.0.1:${behindProxy.platform.config.port}` }
  const userId = await insertPerson(server)
  const browser = createBrowser(server)
  const code = await handOverCode(server, browser, await insertLogin(server, userId))
  const name = scheme === 'https' ? '__Host-gatehouse_browser' : 'gatehouse_browser'
  const answer = await signedFetch(server, '/login/pc/', {
    body: { jsessionid: code },
    cookie: `${name}=${browser.cookie('gatehouse_browser')}`,
  })
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(expected)])
})
