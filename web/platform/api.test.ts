import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { get, post } from '#shared/contract/endpoint.ts'

/** Browser APIs that Node lacks; our own code is real. */
function browserStorage(): Storage {
  const entries = new Map<string, string>()
  const storage = {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => {
      entries.set(name, value)
      Object.defineProperty(storage, name, { value, enumerable: true, configurable: true })
    },
    removeItem: (name: string) => {
      entries.delete(name)
      Reflect.deleteProperty(storage, name)
    },
  }
  for (const name of Object.keys(storage)) Object.defineProperty(storage, name, { enumerable: false })
  return storage as unknown as Storage
}

const listed = get('/things/{id}/', 'user', z.object({ id: z.string(), search: z.string() }), z.string(), {
  summary: '',
})
const changed = post('/things/change/', 'user', z.object({ name: z.string() }), z.null(), { summary: '' })

const answers: (() => Response | Promise<Response>)[] = []
const sent: { url: URL; init: RequestInit; headers: Record<string, string> }[] = []
const left: string[] = []

const envelope =
  (state: number, more: object = {}) =>
  () =>
    Response.json({ state, message: 'm', ...more }, { status: state })

/** Not in a preview. */
const page = { documentElement: { dataset: {} } }

beforeEach(() => {
  vi.resetModules()
  answers.length = sent.length = left.length = 0
  vi.stubGlobal('localStorage', browserStorage())
  vi.stubGlobal('sessionStorage', browserStorage())
  vi.stubGlobal('document', page)
  const origin = 'https://sso.example.edu'
  vi.stubGlobal('location', {
    origin,
    href: `${origin}/auth_web/my-apps?ticket=ST-1`,
    pathname: '/auth_web/my-apps',
    assign: (to: string) => left.push(to),
  })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    sent.push({ url: new URL(address, origin), init, headers: init.headers as Record<string, string> })
    const next = answers.shift()
    if (!next) throw new TypeError('no network')
    return next()
  })
})
afterEach(() => vi.unstubAllGlobals())

async function loggedIn() {
  const session = await import('./session.ts')
  const user = { permissions: null, userId: 'u1', account: 'lilei', name: 'Li Lei', nick: null, picture: null } as const
  session.storeSession('the-token', {
    ...user,
    isSuperUser: '0',
    firstLogin: '0',
    secondFactorDue: '0',
    profileDue: '0',
  })
  return { ...(await import('./api.ts')), session }
}

test('every call carries token, time, signature and a unique id; a GET has its values in path and query', async () => {
  const { call } = await loggedIn()
  answers.push(envelope(200, { data: 'a' }), envelope(200, { data: null }))
  expect(await call(listed, { query: { id: '图/书', search: '' } })).toBe('a')
  await call(changed, { body: { name: 'x' } })
  const [read, write] = sent
  expect(read?.url.pathname).toBe('/auth_service/things/%E5%9B%BE%2F%E4%B9%A6/')
  expect([...(read?.url.searchParams.keys() ?? [])]).toEqual(['uuids'])
  expect(read?.headers).toMatchObject({ token: 'the-token', sign: expect.stringMatching(/^[0-9A-F]{64}$/) })
  expect(write?.init).toMatchObject({ method: 'POST', body: '{"name":"x"}', credentials: 'same-origin' })
  expect(write?.url.searchParams.get('uuids')).not.toBe(read?.url.searchParams.get('uuids'))
})

test('a wrong clock is corrected by the server, and the call repeated once', async () => {
  const { call } = await loggedIn()
  const serverTime = Date.now() + 7_200_000
  answers.push(envelope(403, { code: 'request.clock-skew', data: { serverTime } }), envelope(200, { data: 'a' }))
  expect(await call(listed, { query: { id: '1', search: '' } })).toBe('a')
  expect(Math.abs(Number(sent[1]?.headers['timestamp']) - serverTime)).toBeLessThan(5000)
})

test('a lost session forgets the person and goes to the login once, back to the same page without its ticket', async () => {
  const { call, session } = await loggedIn()
  answers.push(envelope(401, { code: 'session.required' }), envelope(401, { code: 'session.required' }))
  void call(listed, { query: { id: '1', search: '' } })
  void call(changed, { body: { name: 'x' } })
  await vi.waitFor(() => expect(left).toHaveLength(1))
  expect(session.sessionToken()).toBeNull()
  const service = new URL(left[0] ?? '', location.origin).searchParams.get('service') ?? ''
  expect(service).toMatch(/^https:\/\/sso\.example\.edu\/auth_service\/cas\/login\/\?casParameter=/)
  const { redirectUrl } = JSON.parse(new URL(service).searchParams.get('casParameter') ?? '{}')
  expect(redirectUrl).toBe('https://sso.example.edu/auth_web/my-apps')
})

test('a 403 leads to the right page: no permission, first password, second factor, profile; one about the request is an error', async () => {
  const { call, setAuthRedirects } = await loggedIn()
  const redirects = { changePassword: vi.fn(), proveFactor: vi.fn(), completeProfile: vi.fn(), noPermission: vi.fn() }
  setAuthRedirects(redirects)
  for (const code of [
    'permission.denied',
    'session.limited',
    'session.second-factor-required',
    'session.profile-incomplete',
    'request.bad-signature',
  ]) {
    answers.push(envelope(403, { code }))
    await expect(call(listed, { query: { id: '1', search: '' } })).rejects.toMatchObject({ code, state: 403 })
  }
  expect(Object.values(redirects).map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1, 1])
  expect(left).toEqual([])
})

test('a gateway timeout gives a result with state 504, a lost connection one with state 0', async () => {
  const { call } = await loggedIn()
  answers.push(() => new Response('<html>504</html>', { status: 504 }))
  const read = () => call(listed, { query: { id: '1', search: '' } })
  await expect(read()).rejects.toMatchObject({ state: 504, code: 'network.gateway-timed-out' })
  await expect(read()).rejects.toMatchObject({ state: 0, code: 'network.unreachable' })
})

test('a cached reply is fetched once, belongs to one person, and is deleted at logout', async () => {
  const { call, session } = await loggedIn()
  answers.push(envelope(200, { data: 'first' }), envelope(200, { data: 'second' }))
  const read = () => call(listed, { query: { id: '1', search: '' } }, { cache: true })
  expect([await read(), await read()]).toEqual(['first', 'first'])
  session.storeSession('t', {
    ...(session.sessionUser() as NonNullable<ReturnType<typeof session.sessionUser>>),
    userId: 'u2',
  })
  expect(await read()).toBe('second')
  session.removeSession()
  expect(Object.keys(sessionStorage)).toEqual([])
})

test('requests end after 300 s, downloads after an hour; a download is saved under its name', async () => {
  const { call } = await loggedIn()
  const { download } = await import('./download.ts')
  const timeouts: number[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    timeouts.push(ms)
    return new AbortController().signal
  })
  const link = { href: '', download: '', click: vi.fn() }
  vi.stubGlobal('document', { ...page, createElement: () => link })
  answers.push(envelope(200, { data: 'a' }), () => new Response('bytes'))
  await call(listed, { query: { id: '1', search: '' } })
  await download(listed, { id: '1' }, 'people.xlsx')
  expect(timeouts).toEqual([300_000, 3_600_000])
  expect(link).toMatchObject({ download: 'people.xlsx', href: expect.stringMatching(/^blob:/) })
  expect(link.click).toHaveBeenCalledOnce()
})
