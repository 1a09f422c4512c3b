import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { createBrowser } from '../../testing/browser.ts'
import { openService, ticketFor, ticketIn, ticketTraces, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, changeApplication, logIn } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

const SHOP = 'https://shop.test/'

let server: TestServer
let sent: string[] = []
/** Runs while a ticket is being issued. */
let duringHop = () => {}
let people = 0

beforeAll(async () => {
  const onStatement = (text: string) => {
    sent.push(text)
    if (text.includes('insert into session_services')) duringHop()
  }
  server = await startTestServer({ onStatement })
  await addCasApplication(server, { appId: 'shop' })
})
afterAll(() => server.close())

async function loggedIn(more: object = {}, form: Record<string, string> = {}) {
  const account = `hop${++people}`
  const userId = await addPerson(server, { account, ...more })
  return { account, userId, browser: await logIn(server, account, form) }
}

test('a hop on a session that needs no question is one statement, and so is the validation', async () => {
  const { browser, account } = await loggedIn()
  await ticketFor(browser, SHOP)
  const statements = async (work: () => Promise<unknown>) => {
    sent = []
    await work()
    return sent.filter((text) => /sso_sessions|session_services|visit_records/.test(text))
  }
  let ticket = ''
  const hop = await statements(async () => {
    ticket = await ticketFor(browser, SHOP)
  })
  expect(hop).toEqual([expect.stringContaining('insert into session_services')])
  const validation = await statements(async () => expect((await validateP3(server, SHOP, ticket)).user).toBe(account))
  expect(validation).toHaveLength(1)
})

/** What makes a session unfit for a ticket, or fit only after a question: a change to user, session or application. */
const HINDRANCES = {
  'disabled account': `update users set enabled = false where id = $1`,
  'deleted account': `update users set deleted_at = now() where id = $1`,
  'account never activated': `update users set activated = false where id = $1`,
  'lock by an administrator': `update users set locked_at = now() where id = $1`,
  'frozen account': `update users set frozen_from = now() - interval '1 day' where id = $1`,
  'account before its time': `update users set valid_from = now() + interval '1 day' where id = $1`,
  'account after its time': `update users set valid_until = now() - interval '1 day' where id = $1`,
  'ended session': `update sso_sessions set ended_at = now() where user_id = $1`,
  'expired session': `update sso_sessions set expires_at = now() where user_id = $1`,
  'idle session': `update sso_sessions set last_seen_at = now() - interval '30 days' where user_id = $1`,
  'first password': `update sso_sessions set limited = true where user_id = $1`,
  'question before each service': `update sso_sessions set warn = true where user_id = $1`,
}

test.each(Object.entries(HINDRANCES))('%s: a hop leaves neither a ticket nor a visit', async (_what, change) => {
  const { browser, userId } = await loggedIn()
  await server.platform.sql.unsafe(change, [userId])
  const before = await ticketTraces(server)
  expect(ticketIn((await openService(browser, SHOP)).location)).toBe('')
  expect(await ticketTraces(server)).toBe(before)
})

test.each([
  ['switched off', { enabled: false }],
  ['granted to nobody', { type: 'system' }],
  ['that knows people by a mailbox', { user_attribute: 'mailbox' }],
])('an application %s: a hop leaves neither a ticket nor a visit', async (_what, changes) => {
  const appId = `other${++people}`
  await addCasApplication(server, { appId })
  const { browser } = await loggedIn()
  await changeApplication(server, appId, changes)
  const before = await ticketTraces(server)
  expect((await openService(browser, `https://${appId}.test/`)).status).toBe(403)
  expect(await ticketTraces(server)).toBe(before)
})

test('a second factor that a rule requires comes before the ticket; a session that has proved one hops like any other', async () => {
  const rules: [Partial<SignInPolicy>, object][] = [
    [{ secondFactorApplications: ['shop'] }, {}],
    [{ secondFactorCategories: ['staff'] }, { category: 'staff' }],
    [{ secondFactorSuperUsers: true }, { isSuperUser: true }],
  ]
  await server.platform.sql`insert into user_categories (id, code, name) values (gen_random_uuid(), 'staff', 'Staff')`
  for (const [rule, person] of rules) {
    const { browser, userId } = await loggedIn(person)
    const other = await loggedIn()
    await setPolicy(server, rule)
    const before = await ticketTraces(server)
    expect(ticketIn((await openService(browser, SHOP)).location)).toBe('')
    expect(await ticketTraces(server)).toBe(before)
    await server.platform.sql`
      update sso_sessions set second_factor = 'totp', second_factor_at = now() where user_id = ${userId}`
    sent = []
    expect(await ticketFor(browser, SHOP)).toMatch(/^ST-/)
    expect(sent.filter((text) => text.includes('sso_sessions'))).toHaveLength(1)
    if (!('secondFactorApplications' in rule)) expect(await ticketFor(other.browser, SHOP)).toMatch(/^ST-/)
    await setPolicy(server, { secondFactorApplications: [], secondFactorCategories: [], secondFactorSuperUsers: false })
  }
})

test('a non-ASCII name takes the slow path and gets its ticket', async () => {
  await addCasApplication(server, { appId: 'names', userAttribute: 'name' })
  const { browser } = await loggedIn({ name: '李雷' })
  const ticket = await ticketFor(browser, 'https://names.test/')
  expect((await validateP3(server, 'https://names.test/', ticket)).user).toBe('李雷')
})

test('renew and a browser without a session get no ticket', async () => {
  const { browser } = await loggedIn()
  const before = await ticketTraces(server)
  expect(ticketIn((await openService(browser, SHOP, { renew: 'true' })).location)).toBe('')
  expect(ticketIn((await openService(createBrowser(server), SHOP)).location)).toBe('')
  browser.setCookie('CASTGC', `TGT-${'x'.repeat(43)}`, '/fwk_cas_service/')
  expect(ticketIn((await openService(browser, SHOP)).location)).toBe('')
  expect(await ticketTraces(server)).toBe(before)
})

test('a hop is judged at one moment: whose time ends during it still gets the ticket, and no further one', async () => {
  const { browser, userId } = await loggedIn()
  const end = new Date(server.platform.now().getTime() + 30_000)
  await server.platform.sql`update users set valid_until = ${end} where id = ${userId}`
  duringHop = () => server.advance(60)
  const { location } = await openService(browser, SHOP)
  duringHop = () => {}
  expect(ticketIn(location)).toMatch(/^ST-/)
  expect(ticketIn((await openService(browser, SHOP)).location)).toBe('')
})
