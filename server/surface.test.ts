import { request as rawRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Access, Endpoint } from '#shared/contract/endpoint.ts'
import { PERMISSIONS } from '#shared/contract/permissions.ts'
import { databasePrint } from './testing/database-print.ts'
import { openPortal, type Portal } from './testing/portal.ts'
import { startTestServer, type TestServer } from './testing/server.ts'
import { setFieldRules } from './testing/sign-in.ts'
import { signedFetch } from './testing/signed.ts'

let server: TestServer
type Role = Exclude<Access, 'public' | 'application'>
let pages: Record<Role, Portal>
beforeAll(async () => {
  server = await startTestServer()
  // Only people who lacked it at login are held up by it.
  await setFieldRules(server, { 'gender.required': 'next-login' })
  const people = {
    limited: { account: 'newcomer', limited: true },
    enrolling: { account: 'without-factor', isSuperUser: true, lacksFactor: true },
    completing: { account: 'without-gender', lacksFields: true },
    user: { account: 'person' },
    administrator: { account: 'onlooker', permissions: [] },
    superUser: { account: 'root', isSuperUser: true },
    ...Object.fromEntries(
      PERMISSIONS.map((permission) => [
        `administrator:${permission}`,
        { account: permission, permissions: [permission] },
      ]),
    ),
  }
  const opened = Object.entries(people).map(async ([role, someone]) => [role, await openPortal(server, someone)])
  pages = Object.fromEntries(await Promise.all(opened))
})
afterAll(() => server.close())

const all = (): readonly Endpoint[] => server.app.surface.endpoints
const NOBODY = '00000000-0000-7000-8000-000000000000'
const fill = (path: string, id = NOBODY) => path.replace(/\{\w+\}/g, id)
const isLogout = ({ path }: Endpoint) => path === '/login/logout/'

/** Routes below /auth_service that are no call of the contract. */
const OTHER_ROUTES = ['/auth_service/cas/login', '/auth_service/source_events/:id']

test('every route below /auth_service is a call of the contract, each with its own access', () => {
  const declared = new Set(
    all().map(({ method, path }) => `${method} /auth_service${path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')}`),
  )
  const undeclared = server.app.surface.routes
    .filter(({ url, method }) => url.startsWith('/auth_service') && method !== 'HEAD' && method !== 'OPTIONS')
    .map(({ method, url }) => `${method} ${url.replace(/\/$/, '')}`)
    .filter((route) => !declared.has(route) && !OTHER_ROUTES.includes(route.split(' ')[1] ?? ''))
  expect(undeclared).toEqual([])
  expect(declared.size).toBe(all().length)
})

test('who may call what changes only on purpose: npx vitest run server/surface -u, and the difference is reviewed', async () => {
  const lines = all().map(
    ({ access, method, path, signed }) => `${access} ${method} ${path}${signed ? '' : ' (unsigned)'}`,
  )
  await expect(`${lines.toSorted().join('\n')}\n`).toMatchFileSnapshot('./surface.access.txt')
})

const ORDINARY = ['public', 'limited', 'enrolling', 'completing', 'user'] as const
const ADMINISTERING = PERMISSIONS.map((permission) => `administrator:${permission}` as const)
const ACCESS_CODES = [
  'session.required',
  'session.limited',
  'session.second-factor-required',
  'session.profile-incomplete',
  'permission.denied',
]

const roles: [role: Role | 'nobody', open: readonly Access[], refusal: string][] = [
  ['nobody', ['public'], 'session.required'],
  ['limited', ORDINARY.slice(0, 2), 'session.limited'],
  ['enrolling', ORDINARY.slice(0, 3), 'session.second-factor-required'],
  ['completing', ['public', 'limited', 'completing'], 'session.profile-incomplete'],
  ['user', ORDINARY, 'permission.denied'],
  ['administrator', [...ORDINARY, 'administrator'], 'permission.denied'],
  ...ADMINISTERING.map((role): [Role, Access[], string] => [
    role,
    [...ORDINARY, 'administrator', role],
    'permission.denied',
  ]),
  ['superUser', [...ORDINARY, 'administrator', ...ADMINISTERING, 'superUser'], ''],
]
test.each(roles)('%s may call exactly what the contract opens to them', async (role, open, refusal) => {
  const page = role === 'nobody' ? null : pages[role]
  for (const endpoint of all().filter((one) => !isLogout(one) && one.access !== 'application')) {
    const [status, code] = await knock(endpoint, page)
    const call = `${endpoint.method} ${endpoint.path}`
    if (open.includes(endpoint.access)) expect(ACCESS_CODES, call).not.toContain(code)
    else expect([call, status, code]).toEqual([call, role === 'nobody' ? 401 : 403, refusal])
  }
})

test('no person may make a call of applications, not even a super user', async () => {
  const calls = all().filter(({ access }) => access === 'application')
  expect(calls.length).toBeGreaterThan(0)
  for (const endpoint of calls) {
    expect([endpoint.path, endpoint.apiId]).toEqual([endpoint.path, expect.stringMatching(/^[a-z]+(\.[a-z-]+)+$/)])
    for (const page of [null, pages.user, pages.superUser]) {
      expect(await knock(endpoint, page)).toEqual([403, 'request.bad-signature'])
    }
  }
  expect(new Set(calls.map(({ apiId }) => apiId)).size).toBe(calls.length)
})

async function knock({ method, path }: Endpoint, page: Portal | null): Promise<[status: number, code: string]> {
  const answer = await signedFetch(server, fill(path, page?.user.userId), {
    method,
    ...(method === 'POST' && { body: { unusable: true } }),
    ...(page && { token: page.token, cookie: page.browser.cookieHeader('/auth_service/') }),
  })
  const text = await answer.text()
  return [answer.status, text.startsWith('{') ? ((JSON.parse(text) as { code?: string }).code ?? '') : '']
}

test('claiming to be a super user anywhere in a request has no effect', async () => {
  const page = pages.user
  const manage = all().filter(({ access }) => access === 'superUser' || access.startsWith('administrator'))
  expect(manage.length).toBeGreaterThan(0)
  for (const { method, path } of manage) {
    const claims = { isSuperUser: '1', issuperuser: '1', 'x-super-user': '1', role: 'admin' }
    const query = new URLSearchParams({ isSuperUser: '1', userId: pages.superUser.user.userId })
    const answer = await page.call(`${fill(path)}?${query}`, {
      method,
      headers: claims,
      ...(method === 'POST' && { body: { isSuperUser: '1' } }),
    })
    expect([path, answer.status]).toEqual([path, 403])
  }
})

test('a refused back-office call is audited, a flood of them only a few times', async () => {
  const page = await openPortal(server, { account: 'curious' })
  for (let i = 0; i < 12; i++) await page.call('/current_login_manage/query/')
  const lines = await server.platform.sql`
    select action, target_id as target from audit_records where actor_id = ${page.user.userId}`
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.length).toBeLessThanOrEqual(5)
  expect(lines[0]).toEqual({ action: 'permission.denied', target: 'GET /current_login_manage/query/' })
})

/** Where a ticket arrives by a form posted from any page: it is bound to the browser, and without that nothing happens. */
const TICKETS = '/cas/login/'

const forged: [string, Record<string, string>, string][] = [
  ['text/plain', { 'content-type': 'text/plain', origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }, '{}'],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.test' }, 'a=1'],
  ['an upload', { 'content-type': 'multipart/form-data; boundary=x', origin: 'https://evil.test' }, '--x--\r\n'],
  ['JSON', { 'content-type': 'application/json', origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }, '{}'],
  ['JSON without an origin', { 'content-type': 'application/json' }, '{}'],
  ['JSON with a hidden origin', { 'content-type': 'application/json', origin: 'null' }, '{}'],
  ['a form with a hidden origin', { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' }, 'a=1'],
]
test.each(forged)(
  'another site that makes the browser send %s changes nothing, whatever the call',
  async (_, headers, body) => {
    const cookie = pages.superUser.browser.cookieHeader('/auth_service/')
    const before = await databasePrint(server.platform.sql)
    for (const { path } of all().filter(({ method }) => method === 'POST')) {
      const answer = await fetch(`${server.url}/auth_service${fill(path)}`, {
        method: 'POST',
        headers: { ...headers, cookie },
        body,
      })
      const expected = path === TICKETS ? [200, 400, 403, 415] : [400, 401, 403, 415]
      expect(expected, `${path} answered ${answer.status}`).toContain(answer.status)
    }
    expect(await databasePrint(server.platform.sql)).toEqual(before)
  },
)

const MAY_CHANGE = ['ephemeral_state', 'audit_records', 'login_records', 'visit_records']

test('reading changes nothing but records', async () => {
  const page = pages.superUser
  const before = await databasePrint(server.platform.sql, MAY_CHANGE)
  const cookie = page.browser.cookieHeader('/auth_service/')
  for (const endpoint of all()) {
    if (isLogout(endpoint)) continue
    for (const method of ['HEAD', 'OPTIONS']) {
      await fetch(`${server.url}/auth_service${fill(endpoint.path)}`, {
        method,
        headers: { cookie, token: page.token },
      })
    }
    if (endpoint.method === 'GET') await page.call(fill(endpoint.path))
  }
  expect(await databasePrint(server.platform.sql, MAY_CHANGE)).toEqual(before)
})

function statusOf(method: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const sent = rawRequest(server.url + path, { method, headers }, (answer) => {
    answer.resume()
    resolve(answer.statusCode ?? 0)
  })
  sent.on('error', reject).end()
  return promise
}

test('unneeded methods are rejected, and a header does not smuggle one in', async () => {
  const path = '/auth_service/certification_record/current_login/'
  for (const method of ['TRACE', 'PUT', 'DELETE', 'PATCH']) {
    expect([method, await statusOf(method, path)]).toEqual([
      method,
      expect.toSatisfy((s: number) => s === 404 || s === 405),
    ])
  }
  const page = pages.superUser
  const before = await databasePrint(server.platform.sql, MAY_CHANGE)
  for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
    await page.call('/certification_record/current_login/end_others/', { method: 'GET', headers: { [name]: 'POST' } })
  }
  expect(await databasePrint(server.platform.sql, MAY_CHANGE)).toEqual(before)
})

const polluted = [
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"ids":{"$ne":null}}',
  '{"ids":["a"],"ids":["b"]}',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
]
test.each(polluted.map((text) => [text.slice(0, 40), text]))(
  'the body %s is rejected and pollutes nothing',
  async (_, text) => {
    const page = pages.superUser
    for (const { path } of all().filter(
      ({ method, access }) => method === 'POST' && access !== 'public' && access !== 'application',
    )) {
      const answer = await page.call(fill(path), { rawBody: text, method: 'POST' })
      expect([path, answer.status]).toEqual([path, 400])
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  },
)
