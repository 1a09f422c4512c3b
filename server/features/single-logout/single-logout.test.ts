import { inflateSync } from 'node:zlib'
import { XmlDocument } from 'libxml2-wasm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ticketFor } from '../../testing/cas.ts'
import { addPerson, changeApplication, logIn } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { startService } from '../../testing/service.ts'
import { logoutServices } from '../../testing/single-logout.ts'
import { endSsoSessions } from '../sessions/index.ts'
import { failUnseenLogouts, purgeLogoutDeliveries } from './index.ts'

const LOGOUT = '/fwk_cas_service/logout'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: '20260001' })
})
afterAll(() => server.close())

const { application, enter, deliveriesTo, eventually, settled, later } = logoutServices(() => server, 30_000)

test('each service that validated a ticket is told once, with that very ticket, in the protocol’s format', async () => {
  const app = await application({ appId: 'told' })
  const browser = await logIn(server, '20260001')
  const ticket = await enter(browser, app.home)
  await ticketFor(browser, `${app.url}never-validated`)
  await browser.get(LOGOUT)
  await settled('told', 'delivered')
  expect(app.hits).toHaveLength(1)
  const [hit] = app.hits
  expect([hit?.method, hit?.url.href]).toEqual(['POST', app.home])
  expect(hit?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  const document = XmlDocument.fromString(new URLSearchParams(hit?.body).get('logoutRequest') ?? '')
  const namespaces = { p: 'urn:oasis:names:tc:SAML:2.0:protocol', a: 'urn:oasis:names:tc:SAML:2.0:assertion' }
  const get = (path: string) => document.find(path, namespaces).map((node) => node.content)
  expect(get('/p:LogoutRequest/p:SessionIndex')).toEqual([ticket])
  expect(get('/p:LogoutRequest/a:NameID')).toEqual(['@NOT_USED@'])
  expect(get('/p:LogoutRequest/@Version')).toEqual(['2.0'])
  expect(get('/p:LogoutRequest/@ID')[0]).toMatch(/^LR-\w{32}$/)
})

test('a service that recovers accepts the message at the second attempt', async () => {
  let calls = 0
  const app = await application(
    { appId: 'recovers' },
    { reply: (_hit, response) => response.writeHead(++calls === 1 ? 503 : 200).end() },
  )
  const browser = await logIn(server, '20260001')
  await enter(browser, app.home)
  await browser.get(LOGOUT)
  await eventually(async () => expect((await deliveriesTo('recovers'))[0]?.error).toBe('HTTP 503'))
  await later(16)
  await settled('recovers', 'delivered')
  expect((await deliveriesTo('recovers'))[0]?.attempts).toBe(2)
})

test('a redirect is not followed', async () => {
  const target = await startService()
  const app = await application(
    { appId: 'redirects' },
    { reply: (_hit, response) => response.writeHead(307, { location: target.url }).end() },
  )
  const browser = await logIn(server, '20260001')
  await enter(browser, app.home)
  await browser.get(LOGOUT)
  await eventually(async () => expect((await deliveriesTo('redirects'))[0]?.error).toBe('HTTP 307'))
  expect(target.hits).toHaveLength(0)
})

test('the message is sent to the registered logout address if there is one', async () => {
  const elsewhere = await startService()
  const logoutUrl = `${elsewhere.url}slo`
  const app = await application({ appId: 'elsewhere', logoutUrl })
  const browser = await logIn(server, '20260001')
  await enter(browser, app.home)
  await browser.get(LOGOUT)
  await settled('elsewhere', 'delivered')
  expect([elsewhere.hits[0]?.url.href, app.hits.length]).toEqual([logoutUrl, 0])
})

test('an address that is no longer registered is not called', async () => {
  const app = await application({ appId: 'moved' })
  const browser = await logIn(server, '20260001')
  await enter(browser, app.home)
  await changeApplication(server, 'moved', { service_urls: ['https://moved.test/**'] })
  await browser.get(LOGOUT)
  await settled('moved', 'failed')
  expect((await deliveriesTo('moved'))[0]?.error).toBe('address is not registered')
  expect(app.hits).toHaveLength(0)
})

test('an application that disables messages gets none', async () => {
  const app = await application({ appId: 'quiet', singleLogout: 'none' })
  const browser = await logIn(server, '20260001')
  await enter(browser, app.home)
  await browser.get(LOGOUT)
  expect(await deliveriesTo('quiet')).toHaveLength(0)
})

test('two nodes share the work: no message is sent twice', async () => {
  await server.secondNode()
  await server.secondNode()
  const app = await application({ appId: 'shared' })
  const browser = await logIn(server, '20260001')
  for (let i = 0; i < 30; i++) await enter(browser, `${app.url}page/${i}`)
  await browser.get(LOGOUT)
  await eventually(async () => {
    const rows = await deliveriesTo('shared')
    expect(rows.filter(({ state }) => state === 'delivered')).toHaveLength(30)
  })
  expect(new Set(app.hits.map(({ url }) => url.pathname)).size).toBe(30)
  expect(app.hits).toHaveLength(30)
})

test('messages claimed by a dead node are sent by another one', async () => {
  const app = await application({ appId: 'orphan' })
  const browser = await logIn(server, '20260001')
  await enter(browser, app.home)
  await changeApplication(server, 'orphan', { single_logout: 'front-channel' })
  await browser.get(LOGOUT)
  const lease = new Date(server.platform.now().getTime() + 30_000)
  await server.platform.sql`
    update logout_deliveries set channel = 'back-channel', state = 'pending', attempts = 1, next_attempt_at = ${lease}
    where url = ${app.home}`
  await later(31)
  await settled('orphan', 'delivered')
})

test('front channel: the logout page loads the service with the deflated message, then goes on', async () => {
  const app = await application({ appId: 'front', singleLogout: 'front-channel' })
  const browser = await logIn(server, '20260001')
  const ticket = await enter(browser, app.home)
  const page = await browser.get(`${LOGOUT}?${new URLSearchParams({ service: app.home })}`)
  expect([page.status, page.location]).toEqual([200, ''])
  expect(page.headers.get('content-security-policy')).toContain(new URL(app.url).origin)
  const data = JSON.parse(/id="light-data">(.*?)<\/script>/.exec(page.text)?.[1] ?? '{}')
  expect(data.page).toMatchObject({ kind: 'front-logout', next: app.home, seconds: 5 })
  const url = new URL(data.page.urls[0])
  expect([url.origin + url.pathname, url.searchParams.get('x')]).toEqual([`${app.url}start`, '1'])
  const message = inflateSync(Buffer.from(url.searchParams.get('logoutRequest') ?? '', 'base64')).toString()
  expect(message).toContain(`<samlp:SessionIndex>${ticket}</samlp:SessionIndex>`)
  expect((await deliveriesTo('front'))[0]).toMatchObject({ state: 'delivered', channel: 'front-channel' })
  expect((await browser.get(LOGOUT)).text).not.toContain('logoutRequest')
})

test('front-channel messages of a session without its browser are given up, and the record says why', async () => {
  const app = await application({ appId: 'kicked', singleLogout: 'front-channel' })
  const browser = await logIn(server, '20260001')
  await enter(browser, app.home)
  const client = { requestId: '', ip: '127.0.0.1', userAgent: '', language: 'en' } as const
  const ctx = { ...server.platform, db: server.platform.sql, client, caller: null }
  await endSsoSessions(ctx, { ids: [await newestSession()] }, 'kicked-out')
  await failUnseenLogouts(server.platform)
  expect((await deliveriesTo('kicked'))[0]?.state).toBe('pending')
  server.advance(121)
  await failUnseenLogouts(server.platform)
  expect((await deliveriesTo('kicked'))[0]).toMatchObject({ state: 'failed', error: 'no browser' })
  expect(app.hits).toHaveLength(0)
})

const newestSession = async () => {
  const [row] = await server.platform.sql<{ id: string }[]>`select id from sso_sessions order by opened_at desc limit 1`
  return row?.id ?? ''
}

test('the record of messages is kept for 30 days', async () => {
  const { sql } = server.platform
  server.advance(29 * 86_400)
  await purgeLogoutDeliveries(server.platform)
  expect((await sql`select from logout_deliveries`).count).toBeGreaterThan(0)
  server.advance(2 * 86_400)
  await purgeLogoutDeliveries(server.platform)
  expect((await sql`select from logout_deliveries`).count).toBe(0)
})
