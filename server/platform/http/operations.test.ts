import { expect, test } from 'vitest'
import { testServer } from '../../testing/server.ts'

const TOKEN = 'a-token-for-the-figures'

test('a node is alive and ready, whatever the Host header says', async () => {
  const { url } = await testServer()
  for (const path of ['/healthz', '/readyz']) {
    const answer = await fetch(url + path, { headers: { host: 'elsewhere.example' } })
    expect(answer.status).toBe(200)
  }
})

test('a draining node is alive but not ready, and its answers close the connection', async () => {
  const { url, platform } = await testServer()
  platform.draining.isDraining = true
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const ready = await fetch(`${url}/readyz`)
  expect(ready.status).toBe(503)
  expect(ready.headers.get('connection')).toBe('close')
})

test('a database with another schema makes a node not ready', async () => {
  const { url, platform } = await testServer()
  await platform.sql`insert into schema_migrations values (9999, 'later', '', ${platform.now()})`
  const answer = await fetch(`${url}/readyz`)
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ reason: 'schema' })
})

test('the metrics contain routes and states, never a query', async () => {
  const { url } = await testServer()
  await fetch(`${url}/auth_service/nothing?ticket=ST-secret`)
  const answer = await fetch(`${url}/metrics`)
  expect(answer.status).toBe(200)
  const text = await answer.text()
  expect(text).toMatch(/gatehouse_http_request_seconds_count\{.*status="404"/)
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toContain('ST-secret')
})

test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
  'a request with %s does not get the metrics',
  async (name) => {
    const { url } = await testServer()
    expect((await fetch(`${url}/metrics`, { headers: { [name]: '127.0.0.1' } })).status).toBe(404)
  },
)

test('a proxy with the token gets the metrics, with a wrong token it does not', async () => {
  const { url } = await testServer({ env: { METRICS_TOKEN: TOKEN } })
  const ask = (token: string) =>
    fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '10.0.0.1' } })
  expect((await ask(TOKEN)).status).toBe(200)
  expect((await ask('another')).status).toBe(404)
})
