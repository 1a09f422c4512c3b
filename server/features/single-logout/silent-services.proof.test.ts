import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addCasApplication, addPerson, logIn } from '../../testing/people.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { startService } from '../../testing/service.ts'
import { logoutServices } from '../../testing/single-logout.ts'

const LOGOUT = '/fwk_cas_service/logout'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await addPerson(server, { account: '20260001' })
})
afterAll(() => server.close())

// Longer than the timeout for a silent service, on a busy machine too.
const { application, enter, deliveriesTo, eventually, settled, later } = logoutServices(() => server, 9000)

test('one dead and one silent service delay neither the logout nor the others, and are retried once', async () => {
  const good = await application({ appId: 'good' })
  const dead = await application({ appId: 'dead' })
  const silent = await application({ appId: 'silent' }, { reply: () => {} })
  const browser = await logIn(server, '20260001')
  for (const { home } of [good, dead, silent]) await enter(browser, home)
  dead.close()
  const began = performance.now()
  await browser.get(LOGOUT)
  expect(performance.now() - began).toBeLessThan(2000)
  await settled('good', 'delivered')
  await eventually(async () => expect((await deliveriesTo('silent'))[0]?.error).toBe('TimeoutError'))
  expect((await deliveriesTo('dead'))[0]).toMatchObject({ state: 'pending', attempts: 1, error: 'ECONNREFUSED' })
  await later(16)
  await settled('dead', 'failed')
  await settled('silent', 'failed')
  await later(3600)
  expect((await deliveriesTo('dead'))[0]).toMatchObject({ attempts: 2 })
  expect(silent.hits).toHaveLength(2)
  expect(good.hits).toHaveLength(1)
})

test('a silent service with hundreds of messages due delays nobody else', async () => {
  const crowded = await testServer()
  const { sql, now } = crowded.platform
  const silent = await startService({ reply: () => {} })
  const healthy = await startService()
  const queue = async (appId: string, { url }: { url: string }, messages: number) => {
    const id = await addCasApplication(crowded, { appId, url, serviceUrls: [`${url}**`] })
    await sql`
      insert into logout_deliveries
        (id, sso_session_id, user_id, application_id, channel, url, ticket, next_attempt_at, created_at)
      select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), ${id}, 'back-channel', ${url} || n, 'ST-' || n,
        ${now()}::timestamptz, ${now()}
      from generate_series(1, ${messages}::int) n`
  }
  await queue('silent', silent, 200)
  await queue('healthy', healthy, 20)
  await sql`select pg_notify('gatehouse_logout', '')`
  // Before the first silent attempt times out.
  await vi.waitFor(() => expect(healthy.hits).toHaveLength(20), { timeout: 4000, interval: 20 })
  expect(silent.hits.length).toBeLessThanOrEqual(8)
  silent.close()
  const rest = () => sql`select 1 from logout_deliveries where state = 'pending' and attempts = 0`
  // Each end makes room for the next; without a poll at each end it would take five seconds for every eight.
  await vi.waitFor(async () => expect(await rest()).toHaveLength(0), { timeout: 9000, interval: 50 })
})
