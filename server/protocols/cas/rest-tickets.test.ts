import { afterAll, beforeAll, expect, test } from 'vitest'
import { mergeSettings } from '../../platform/settings.ts'
import { createBrowser } from '../../testing/browser.ts'
import { validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, changeApplication, PASSWORD } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

const LIBRARY = 'https://library.test/'
const TICKETS = '/fwk_cas_service/v1/tickets'
const GOOD = { username: '20260001', password: PASSWORD }

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: '20260001' })
  await addPerson(server, { account: '20260002' })
  await addPerson(server, { account: 'first', mustChangePassword: true })
  await addCasApplication(server, { appId: 'library' })
})
afterAll(() => server.close())

const allow = (addresses: string[]) =>
  mergeSettings({ ...server.platform, db: server.platform.sql }, 'login', { restTicketAddresses: addresses })

const call = (path: string, form: Record<string, string> = {}) => createBrowser(server).post(path, form)

async function open(form: Record<string, string> = GOOD): Promise<string> {
  const answer = await call(TICKETS, form)
  expect(answer.status).toBe(201)
  return new URL(answer.headers.get('location') ?? '').pathname
}

test('the API does not exist until addresses are configured, and then only for these', async () => {
  expect((await call(TICKETS, GOOD)).status).toBe(404)
  await allow(['10.0.0.0/8', '2001:db8::/32'])
  expect((await call(TICKETS, GOOD)).status).toBe(404)
  expect((await server.platform.sql`select from login_records`).count).toBe(0)
})

test('log in, get tickets, look, log out', async () => {
  await allow(['127.0.0.0/8'])
  const tgt = await open()
  expect(tgt).toMatch(/^\/fwk_cas_service\/v1\/tickets\/TGT-[A-Za-z0-9]{43}$/)
  const granted = await call(tgt, { service: LIBRARY })
  expect([granted.status, granted.headers.get('content-type')]).toEqual([200, 'text/plain;charset=UTF-8'])
  expect((await validateP3(server, LIBRARY, granted.text)).user).toBe('20260001')
  expect((await fetch(server.url + tgt)).status).toBe(200)
  const pending = (await call(tgt, { service: LIBRARY })).text
  expect((await fetch(server.url + tgt, { method: 'DELETE' })).status).toBe(200)
  expect((await validateP3(server, LIBRARY, pending)).code).toBe('INVALID_TICKET')
  expect((await fetch(server.url + tgt)).status).toBe(404)
  expect((await call(tgt, { service: LIBRARY })).status).toBe(404)
})

test('its ticket-granting ticket is no cookie, and no cookie is set', async () => {
  const answer = await call(TICKETS, GOOD)
  const tgt = answer.text
  expect(answer.headers.getSetCookie()).toEqual([])
  const browser = createBrowser(server)
  browser.setCookie('CASTGC', tgt, '/fwk_cas_service/')
  expect((await browser.get(`/fwk_cas_service/login?service=${LIBRARY}`)).location).toContain('/auth_web/login?')
})

test('the gate decides here too', async () => {
  const tgt = await open()
  await addCasApplication(server, { appId: 'denied', type: 'system' })
  await addCasApplication(server, { appId: 'off' })
  await changeApplication(server, 'off', { enabled: false })
  const portal = `${server.url}/auth_service/cas/login/`
  for (const service of ['https://evil.test/', 'https://denied.test/', 'https://off.test/', portal, '']) {
    expect([service, (await call(tgt, { service })).status]).toEqual([service, 403])
  }
  expect((await call(TICKETS, { username: 'first', password: PASSWORD })).status).toBe(403)
  const userId = await addPerson(server, { account: '20260001' })
  await server.platform.sql`update users set frozen_from = now() where id = ${userId}`
  expect((await call(tgt, { service: LIBRARY })).status).toBe(404)
  await server.platform.sql`update users set frozen_from = null where id = ${userId}`
})

test('a person who must change the password gets no ticket, and the session opened for it is ended', async () => {
  expect((await call(TICKETS, { username: 'first', password: PASSWORD })).status).toBe(403)
  const sessions = await server.platform.sql`
    select s.ended_at, s.end_reason from sso_sessions s join users u on u.id = s.user_id where u.account = 'first'`
  expect(sessions.length).toBeGreaterThan(0)
  for (const { endedAt, endReason } of sessions) expect([endedAt, endReason]).toEqual([expect.any(Date), 'limited'])
})

test('where a rule requires a second factor off campus, a password sent from there opens no application', async () => {
  await setPolicy(server, { secondFactorOffCampus: true })
  expect((await call(await open(), { service: LIBRARY })).status).toBe(404)
  await setPolicy(server, { secondFactorOffCampus: false })
  expect((await call(await open(), { service: LIBRARY })).status).toBe(200)
})

test('another kind of content and a wrong password are refused, and failures count as everywhere', async () => {
  const body = JSON.stringify(GOOD)
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(server.url + TICKETS, { method: 'POST', body, headers })).status).toBe(415)
  for (let i = 0; i < 5; i++) {
    expect((await call(TICKETS, { username: '20260002', password: 'wrong' })).status).toBe(401)
  }
  expect((await call(TICKETS, { username: '20260002', password: PASSWORD })).status).toBe(401)
})
