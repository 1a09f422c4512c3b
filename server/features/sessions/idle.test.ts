import { expect, test } from 'vitest'
import { mergeSettings } from '../../platform/settings.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

async function serverWith(policy: object): Promise<TestServer> {
  const server = await testServer()
  await mergeSettings({ ...server.platform, db: server.platform.sql }, 'login', policy)
  return server
}

const look = (page: Portal, headers?: Record<string, string>) =>
  page.call('/certification_record/current_login/', headers ? { headers } : {})
const background = { 'x-background': '1' }

test('a portal session without activity ends on the server, whatever the page does', async () => {
  const server = await serverWith({ expirationMinutes: 30 })
  const page = await openPortal(server)
  server.advance(29 * 60)
  expect((await look(page)).status).toBe(200)
  server.advance(30 * 60)
  expect((await look(page)).status).toBe(401)
  const [row] = await server.platform.sql`select end_reason from sso_sessions where id = ${page.ssoSessionId}`
  expect(row).toEqual({ endReason: 'idle' })
})

test('polling by a page is no activity', async () => {
  const server = await serverWith({ expirationMinutes: 30 })
  const page = await openPortal(server)
  for (let minute = 0; minute < 29; minute++) {
    server.advance(60)
    expect((await look(page, background)).status).toBe(200)
  }
  server.advance(60)
  expect((await look(page, background)).status).toBe(401)
})

test('reported activity counts to the second; a background request returns how long ago it was', async () => {
  const server = await serverWith({ expirationMinutes: 2 })
  const page = await openPortal(server)
  server.advance(20)
  const asked = await page.call<{ idleSeconds: number }>('/login/activity/', { body: {}, headers: background })
  expect(asked.data.idleSeconds).toBeGreaterThanOrEqual(20)
  expect(asked.data.idleSeconds).toBeLessThan(30)
  expect((await page.call('/login/activity/', { body: {} })).data).toEqual({ idleSeconds: 0 })
  server.advance(115)
  expect((await look(page, background)).status).toBe(200)
  server.advance(5)
  expect((await look(page)).status).toBe(401)
})

test('with the idle logout switched off only the sign-on session limits', async () => {
  const server = await serverWith({ switchOfExpirationLogout: '0', expirationMinutes: 30, sessionIdleMinutes: 120 })
  const page = await openPortal(server)
  server.advance(119 * 60)
  expect((await look(page)).status).toBe(200)
  server.advance(121 * 60)
  expect((await look(page)).status).toBe(401)
})

test('the absolute lifetime ends a busy session', async () => {
  const server = await serverWith({ expirationMinutes: 1440, sessionIdleMinutes: 1440 })
  const page = await openPortal(server)
  server.advance(8 * 3600 - 10)
  expect((await look(page)).status).toBe(200)
  server.advance(11)
  expect((await look(page)).status).toBe(401)
})

test('after idling, a remembered login loses its portal session, but not the sign-on session', async () => {
  const server = await serverWith({ expirationMinutes: 30 })
  const page = await openPortal(server, { remembered: true })
  server.advance(31 * 60)
  expect((await look(page)).status).toBe(401)
  const [row] = await server.platform.sql`select ended_at from sso_sessions where id = ${page.ssoSessionId}`
  expect(row).toEqual({ endedAt: null })
  expect(await server.platform.sql`select from portal_sessions`).toHaveLength(0)
})
