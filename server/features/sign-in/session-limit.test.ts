import { expect, test } from 'vitest'
import type { SessionLimitStep } from '#shared/contract/sign-in.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { addCasApplication, addPerson, PASSWORD, postLogin } from '../../testing/people.ts'
import { callAs, openPortal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

async function limitedServer(changes: Partial<SignInPolicy>) {
  const server = await testServer()
  await setPolicy(server, changes)
  const userId = await addPerson(server, { account: 'lilei' })
  return { server, userId }
}

type LoginAnswer = { status: number; code: string; message: string; data: { sessionLimit?: SessionLimitStep } | null }

/** Posts to the login as a script in a browser does. */
async function post(browser: Browser, fields: Record<string, string>): Promise<LoginAnswer> {
  const answer = await browser.post('/fwk_cas_service/login', fields, { accept: 'application/json' })
  return { status: answer.status, ...answer.json<Omit<LoginAnswer, 'status'>>() }
}

const logIn = (browser: Browser) => post(browser, { username: 'lilei', password: PASSWORD })

const sessions = (server: TestServer) =>
  server.platform.sql<{ id: string; endReason: string | null }[]>`
    select id, end_reason from sso_sessions order by opened_at, id`

const open = async (server: TestServer) => (await sessions(server)).filter(({ endReason }) => endReason === null).length

test('one login above the limit ends the one unused for longest, which says why, and is recorded', async () => {
  const { server, userId } = await limitedServer({ mostSessions: 2 })
  await addCasApplication(server, { appId: 'shop' })
  const page = await openPortal(server, { userId })
  server.advance(60)
  const shopper = createBrowser(server)
  const ticket = (await postLogin(shopper, { username: 'lilei' }, { service: 'https://shop.test/' })).location
  expect(ticket).toContain('ticket=ST-')
  server.advance(60)
  expect(await logIn(createBrowser(server))).toMatchObject({ status: 200 })
  expect(await sessions(server)).toMatchObject([{ endReason: 'newer-login' }, { endReason: null }, { endReason: null }])
  const refused = await page.call('/certification_record/current_login/')
  expect(refused).toMatchObject({ status: 401, envelope: { code: 'session.ended-for-newer' } })
  const stranger = await callAs(server, page.browser, '/certification_record/current_login/', { token: 'x' })
  expect(stranger.envelope.code).toBe('session.required')
  const lines = await server.platform.sql`
    select after, user_id from audit_records where action = 'session.end-for-newer'`
  expect(lines).toMatchObject([{ userId, after: { ended: 1, device: expect.stringContaining('192.0.2.7') } }])
})

test('a session that ends for a newer one tells its applications', async () => {
  const { server } = await limitedServer({ mostSessions: 1 })
  await addCasApplication(server, { appId: 'shop', singleLogout: 'back-channel' } as never)
  const service = 'https://shop.test/'
  const { location = '' } = await postLogin(createBrowser(server), { username: 'lilei' }, { service })
  const ticket = new URL(location).searchParams.get('ticket') ?? ''
  const validation = new URLSearchParams({ service, ticket })
  expect((await createBrowser(server).get(`/fwk_cas_service/p3/serviceValidate?${validation}`)).text).toContain('lilei')
  await logIn(createBrowser(server))
  const told = await server.platform.sql`select ticket from logout_deliveries`
  expect(told).toMatchObject([{ ticket }])
})

test('simultaneous logins stay within the limit, whichever one has to end', async () => {
  for (const onMoreSessions of ['end-oldest', 'refuse'] as const) {
    const { server } = await limitedServer({ mostSessions: 2, onMoreSessions })
    const answers = await Promise.all(Array.from({ length: 8 }, () => logIn(createBrowser(server))))
    expect(await open(server)).toBe(2)
    const well = answers.filter(({ status }) => status === 200).length
    expect(well).toBe(onMoreSessions === 'refuse' ? 2 : 8)
  }
})

test('the same browser again is no additional login, and idle or ended ones do not count', async () => {
  const { server } = await limitedServer({ mostSessions: 1, onMoreSessions: 'refuse' })
  const browser = createBrowser(server)
  expect(await logIn(browser)).toMatchObject({ status: 200 })
  expect(await logIn(browser)).toMatchObject({ status: 200 })
  expect(await logIn(createBrowser(server))).toMatchObject({ status: 403, code: 'sign-in.too-many-sessions' })
  server.advance(121 * 60)
  expect(await logIn(createBrowser(server))).toMatchObject({ status: 200 })
})

test('a person at the limit sees their logins, ends one and is logged in', async () => {
  const { server, userId } = await limitedServer({ mostSessions: 2, onMoreSessions: 'refuse' })
  const phone = createBrowser(server)
  await logIn(phone)
  server.advance(60)
  await logIn(createBrowser(server))
  const browser = createBrowser(server)
  const refused = await logIn(browser)
  expect(refused).toMatchObject({ status: 403, data: { sessionLimit: { most: 2, toEnd: 1 } } })
  const logins = refused.data?.sessionLimit?.logins ?? []
  expect(logins).toHaveLength(2)
  expect(await open(server)).toBe(2)
  expect(await server.platform.sql`select from login_records where reason = 'sessions.too-many'`).toHaveLength(1)
  const page = await browser.get('/fwk_cas_service/login')
  expect(page.text).toContain(logins[0]?.id)
  expect(await post(browser, { loginType: 'end-sessions' })).toMatchObject({
    status: 403,
    data: { sessionLimit: { toEnd: 1 } },
  })
  expect(await post(browser, { loginType: 'end-sessions', ends: logins[0]?.id ?? '' })).toMatchObject({ status: 200 })
  expect(await sessions(server)).toMatchObject([
    { endReason: 'ended-by-owner' },
    { endReason: null },
    { endReason: null },
  ])
  expect(
    await server.platform.sql`select from audit_records where action = 'session.end' and user_id = ${userId}`,
  ).toHaveLength(1)
})

test('ending logins requires the login pending in this browser, and works only for that person’s own', async () => {
  const { server } = await limitedServer({ mostSessions: 1, onMoreSessions: 'refuse' })
  await addPerson(server, { account: 'hanmei' })
  await logIn(createBrowser(server))
  await post(createBrowser(server), { username: 'hanmei', password: PASSWORD })
  const [first, other] = await sessions(server)
  const stranger = createBrowser(server)
  const ends = first?.id ?? ''
  expect(await post(stranger, { loginType: 'end-sessions', ends })).toMatchObject({ status: 401 })
  await post(stranger, { username: 'lilei', password: 'wrong' })
  expect(await post(stranger, { loginType: 'end-sessions', ends })).toMatchObject({ status: 401 })
  const browser = createBrowser(server)
  await logIn(browser)
  const refused = await post(browser, { loginType: 'end-sessions', ends: other?.id ?? '' })
  expect(refused).toMatchObject({ status: 403, code: 'sign-in.too-many-sessions' })
  expect(await open(server)).toBe(2)
  // A password changed meanwhile proves nothing any more.
  await server.platform.sql`update passwords set changed_at = changed_at + interval '1 second'`
  expect(await post(browser, { loginType: 'end-sessions', ends })).toMatchObject({
    status: 401,
    code: 'sign-in.refused',
  })
  expect(await open(server)).toBe(2)
})

test('without script the choice is a page with a form', async () => {
  const { server } = await limitedServer({ mostSessions: 1, onMoreSessions: 'refuse' })
  await logIn(createBrowser(server))
  const browser = createBrowser(server)
  const page = await postLogin(browser, { username: 'lilei' })
  expect(page.status).toBe(403)
  const id = /name="ends" [^>]*value="([^"]+)"|value="([^"]+)" [^>]*name="ends"/.exec(page.text)
  const ends = id?.[1] ?? id?.[2] ?? ''
  expect(ends).not.toBe('')
  const done = await browser.post(
    '/fwk_cas_service/login',
    { loginType: 'end-sessions', ends },
    { accept: 'text/html' },
  )
  expect(done.status).toBe(200)
  expect(await open(server)).toBe(1)
})

test('a server that sends a password is subject to the limit too, and learns nothing about other logins', async () => {
  const { server } = await limitedServer({
    mostSessions: 1,
    onMoreSessions: 'refuse',
    restTicketAddresses: ['127.0.0.0/8'],
  })
  await logIn(createBrowser(server))
  const answer = await createBrowser(server).post(
    '/fwk_cas_service/v1/tickets',
    { username: 'lilei', password: PASSWORD },
    { accept: 'application/json' },
  )
  expect(answer.status).toBe(403)
  expect(answer.json<{ data: unknown }>().data).toBeNull()
  expect(await open(server)).toBe(1)
})

test('lowering the limit first says how many people are above it', async () => {
  const { server, userId } = await limitedServer({})
  for (let at = 0; at < 3; at += 1) await openPortal(server, { userId })
  const admin = await openPortal(server, { isSuperUser: true, account: 'root' })
  const body = { changes: { mostSessions: 2 } }
  const { data } = await admin.call<{ figures: { key: string; count: number; rows: unknown[] }[] }>(
    '/policy_impact/login_config/',
    { body },
  )
  expect(data.figures).toMatchObject([
    { key: 'sessions-above-limit', count: 1, rows: [{ person: { account: 'lilei' } }] },
  ])
})
