import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#shared/contract/endpoint.ts'
import { openPortal, type Portal } from './testing/portal.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

let server: TestServer
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  page = await openPortal(server, { account: 'administrator', isSuperUser: true })
})
afterAll(() => server.close())

const fill = (path: string) => path.replace(/\{\w+\}/g, page.user.userId)
const reading = () =>
  server.app.surface.endpoints.filter(
    ({ method, path, access }) => method === 'GET' && path !== '/login/logout/' && access !== 'application',
  )

test('a call answers what its contract says and nothing more', async () => {
  const seen: string[] = []
  for (const { path, output } of reading()) {
    const answer = await page.call(fill(path))
    if (answer.status !== 200 || !answer.headers.get('content-type')?.startsWith('application/json')) continue
    if (answer.envelope.state !== 200) continue
    seen.push(path)
    expect([path, output.parse(answer.data)]).toEqual([path, answer.data])
  }
  expect(seen.length).toBeGreaterThan(5)
})

/** Lists are the calls that take a page. */
const takes = (name: string) => (endpoint: Endpoint) =>
  endpoint.query instanceof z.ZodObject && name in endpoint.query.shape
const lists = (): Endpoint[] => reading().filter(takes('pageIndex'))

test.each([
  'pageSize=0',
  'pageSize=-1',
  'pageSize=1e9',
  'pageSize=NaN',
  'pageIndex=0',
  'sort=password',
  'pageIndex[]=1',
])('every list rejects %s', async (query) => {
  expect(lists().length).toBeGreaterThan(0)
  for (const { path } of lists()) {
    const answer = await page.call(`${fill(path)}?${query}`)
    expect([path, answer.status, answer.envelope.code]).toEqual([path, 400, 'request.invalid'])
  }
})

const INJECTIONS = [
  "' or 1=1 --",
  "'; create table injected (); --",
  '\\',
  '%',
  '_',
  '$1',
  '"',
  '\u{1F600}',
  "x') union select null --",
]
test('every list matches search text literally', async () => {
  for (const { path } of lists().filter(takes('search'))) {
    for (const search of INJECTIONS) {
      const answer = await page.call(`${fill(path)}?${new URLSearchParams({ search })}`)
      // For lists of something that doesn't exist.
      const expected = path.includes('{') && answer.status === 404 ? 404 : 200
      expect([path, search, answer.status]).toEqual([path, search, expected])
    }
    const answer = await page.call(`${fill(path)}?search=%00`)
    expect(path.includes('{') ? [200, 400, 404] : [200, 400], path).toContain(answer.status)
  }
  expect(await page.server.platform.sql`select to_regclass('injected') as injected`).toEqual([{ injected: null }])
})
