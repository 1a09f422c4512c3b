import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { hold } from '../../testing/lock-waits.ts'
import { addPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { addVendor, isIn, leaveVendor, logInAt, returnFromVendor } from '../../testing/vendors.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const document = {
    organizations: [{ code: 'guests', name: 'Guests', attribute: null }],
    userCategories: [{ code: 'visitor', name: 'Visitor' }],
  }
  await applyBootstrap(server.platform, document, { source: 'test' })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.platform.sql`delete from third_party_accounts`
  await server.platform.sql`delete from login_names where canonical in ('lilei', 'hanmeimei')`
  await server.platform
    .sql`delete from users where lower(account) in ('lilei', 'hanmeimei') or name in ('李雷', '韩梅梅')`
})

const PLACE = { organization: 'guests', category: 'visitor' }
const created = () => server.platform.sql`
  select u.account, u.name, u.enabled, u.activated, u.phone, o.code as place, c.code as category, u.valid_until
  from users u left join organizations o on o.id = u.organization_id left join user_categories c on c.id = u.category_id
  where u.name in ('李雷', '韩梅梅') order by u.account`
const linkOf = (text: string, pattern: RegExp) => pattern.exec(text)?.[0].replaceAll('&amp;', '&') ?? ''
const createLink = (text: string) => linkOf(text, /\/fwk_cas_service\/third_party\?proof=\w{32}/)

test('an unknown person is created if the administrator allows it: as configured, once, with an audit record', async () => {
  await addVendor(server, 'qywx', { unbound: 'create', creates: { ...PLACE, validDays: 30 } })
  const browser = createBrowser(server)
  await logInAt(server, browser, 'qywx')
  expect(isIn(browser)).toBe(true)
  const person = {
    account: 'LiLei',
    name: '李雷',
    enabled: true,
    activated: true,
    place: 'guests',
    category: 'visitor',
  }
  const [row] = await created()
  expect(row).toMatchObject(person)
  const days = (row?.['validUntil'] - server.platform.now().getTime()) / 86_400_000
  expect(days).toBeGreaterThan(29.9)
  expect(days).toBeLessThanOrEqual(30)
  const lines = await server.platform.sql`
    select action, reason, actor from audit_records a join users u on u.id::text = a.target_id
    where u.account = 'LiLei' order by at, a.id`
  expect(lines).toEqual([
    expect.objectContaining({ action: 'account.create', reason: 'qywx', actor: 'system' }),
    expect.objectContaining({ action: 'third-party.bind', actor: 'provider qywx' }),
  ])
  await logInAt(server, createBrowser(server), 'qywx')
  expect(await created()).toHaveLength(1)
})

test('two windows of one person create one account', async () => {
  await addVendor(server, 'qywx', { unbound: 'create' })
  const browsers = [createBrowser(server), createBrowser(server)]
  await Promise.all(browsers.map((browser) => logInAt(server, browser, 'qywx')))
  expect(browsers.map(isIn)).toEqual([true, true])
  expect(await created()).toHaveLength(1)
})

test('a window that looks for the person just before another window creates them logs in too', async () => {
  const { sql } = server.platform
  await addVendor(server, 'qywx', { unbound: 'create' })
  await logInAt(server, createBrowser(server), 'qywx')
  expect(await created()).toHaveLength(1)
  // As if the person were created while the second window waits.
  await sql`update third_party_accounts set subject = subject || '-later'`
  const { reached, release } = await hold(
    sql,
    (held) => held`lock table login_names in access exclusive mode`,
    '%select 1 from login_names%',
  )
  const browser = createBrowser(server)
  const second = logInAt(server, browser, 'qywx')
  await reached()
  await sql`update third_party_accounts set subject = replace(subject, '-later', '')`
  await release()
  await second
  expect(isIn(browser)).toBe(true)
  expect(await created()).toHaveLength(1)
})

test('nobody is created whose account or phone belongs or belonged to somebody here: they log in and link', async () => {
  await addVendor(server, 'qywx', { unbound: 'create' })
  await addPerson(server, { account: 'lilei' })
  const browser = createBrowser(server)
  const offer = await logInAt(server, browser, 'qywx')
  expect(offer.text).toMatch(/third-party-account\?bind=\w{32}/)
  expect(createLink(offer.text)).toBe('')
  await server.platform.sql`update users set deleted_at = now() where account = 'lilei'`
  await server.platform.sql`delete from login_names where canonical = 'lilei'`
  expect((await logInAt(server, browser, 'qywx')).text).toMatch(/third-party-account\?bind=\w{32}/)

  await addVendor(server, 'dingding', { unbound: 'create' })
  await addPerson(server, { account: 'somebody', phone: '+8613800009072' })
  expect((await logInAt(server, browser, 'dingding', 'HanMeimei')).text).toMatch(/third-party-account\?bind=\w{32}/)
  expect(isIn(browser)).toBe(false)
  expect(await created()).toEqual([])
})

test('a person without an account number first confirms that they have no account here, in this browser, once', async () => {
  await addVendor(server, 'weChat', { unbound: 'create', creates: PLACE })
  const browser = createBrowser(server)
  const offer = await logInAt(server, browser, 'weChat')
  expect(isIn(browser)).toBe(false)
  expect(await created()).toEqual([])
  const link = createLink(offer.text)
  const stranger = createBrowser(server)
  await stranger.get('/fwk_cas_service/login')
  expect(await stranger.get(link)).toMatchObject({ status: 400 })
  const again = createLink((await logInAt(server, browser, 'weChat')).text)
  await browser.get(again)
  expect(isIn(browser)).toBe(true)
  expect(await created()).toEqual([expect.objectContaining({ name: '李雷', place: 'guests' })])
  expect((await browser.get(again)).status).toBe(400)
})

test.each([
  ['inactive', { activated: false, enabled: true }],
  ['disabled', { activated: true, enabled: false }],
] as const)('a person created as "%s" is told so, and can not log in yet', async (state, flags) => {
  await addVendor(server, 'qywx', { unbound: 'create', creates: { state } })
  const browser = createBrowser(server)
  const answer = await logInAt(server, browser, 'qywx')
  expect(answer.status).toBe(403)
  expect(answer.text).toContain(`"name":"third-party-created-${state}"`)
  expect(isIn(browser)).toBe(false)
  expect(await created()).toEqual([expect.objectContaining(flags)])
  // The second time nothing is created.
  expect((await logInAt(server, browser, 'qywx')).text).toContain(`"code":"sign-in.${state}"`)
})

test('an identity that can not become an account creates nobody, and says why', async () => {
  const simulator = await addVendor(server, 'qywx', { unbound: 'create', creates: PLACE })
  await server.platform
    .sql`update third_party_providers set creates = '{"categoryId": "00000000-0000-7000-8000-000000000000"}'`
  await server.platform.cache.invalidate(server.platform.sql, 'third-party-providers')
  const browser = createBrowser(server)
  const answer = await logInAt(server, browser, 'qywx')
  expect(answer.status).toBe(403)
  expect(answer.text).toContain('Category: Not found')
  expect(isIn(browser)).toBe(false)
  expect(await created()).toEqual([])
  expect(simulator.calls.length).toBeGreaterThan(0)
})

test('disabling creation applies to people who have the offer open', async () => {
  await addVendor(server, 'qq', { unbound: 'create' })
  const browser = createBrowser(server)
  const link = createLink(
    (await returnFromVendor(server, browser, await leaveVendor(browser, 'qq', { person: 'LiLei' }))).text,
  )
  expect(link).not.toBe('')
  await server.platform.sql`update third_party_providers set unbound = 'refuse'`
  await server.platform.cache.invalidate(server.platform.sql, 'third-party-providers')
  expect((await browser.get(link)).status).toBe(403)
  expect(await created()).toEqual([])
})
