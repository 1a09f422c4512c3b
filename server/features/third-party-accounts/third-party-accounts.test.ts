import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, logIn, PASSWORD } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { type Entered, enterPortal } from '../../testing/sign-in.ts'
import {
  addCampusId,
  addProvider,
  atProvider,
  bindAccount,
  complete,
  isIn,
  listed,
  logInBy,
  pendingOf,
  reauthenticate,
} from '../../testing/third-party.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let people = 0
const entered = async (account = `person${++people}`): Promise<Entered> => {
  await addPerson(server, { account })
  return await enterPortal(server, account)
}

/** Everybody in this file links the same few accounts. */
const forgetAll = () => server.platform.sql`delete from third_party_accounts`

const unbind = (page: Entered, key = 'campus-id') => page.call(`/third_party_account/${key}/unbind/`, { body: {} })
const begin = (page: Entered, key = 'campus-id') =>
  page.call<{ redirectUrl: string }>(`/third_party_account/${key}/bind/`, { body: {} })
/** Does the account log a browser without history in? */
async function comesIn(user?: string): Promise<boolean> {
  const browser = createBrowser(server)
  await logInBy(server, browser, user === undefined ? {} : { user })
  return isIn(browser)
}

const code = async (reply: Promise<{ envelope: { code?: string } }>) => (await reply).envelope.code

test('a person links an account, sees it masked with its date, logs in with it and unlinks it', async () => {
  const campus = await addCampusId(server)
  const page = await entered()
  const before = server.platform.now()
  expect(await listed(page)).toEqual([
    expect.objectContaining({ provider: 'campus-id', name: 'Campus ID', enabled: true, bound: null }),
  ])
  await bindAccount(page)
  const [row] = await listed(page)
  expect(row?.bound).toMatchObject({ displayName: 'L***i', lastUsedAt: null, isLastMethod: false })
  expect(new Date(row?.bound?.boundAt ?? 0) >= before).toBe(true)

  expect(await comesIn()).toBe(true)
  const [record] = await server.platform.sql`
    select auth_type, user_id, succeeded from login_records where auth_type = 'campus-id'`
  expect(record).toEqual({ authType: 'campus-id', userId: page.user.userId, succeeded: true })
  expect((await listed(page))[0]?.bound?.lastUsedAt).not.toBeNull()

  expect((await unbind(page)).status).toBe(200)
  expect((await listed(page))[0]?.bound).toBeNull()
  expect(await comesIn()).toBe(false)
  expect(campus.calls).toContain('POST /oidc/token')
})

test('linking and unlinking require reauthentication, are audited without the full name, and are notified to the person', async () => {
  await addCampusId(server)
  await forgetAll()
  const account = `person${++people}`
  await addPerson(server, { account, mailbox: `${account}@example.edu` })
  const page = await enterPortal(server, account)
  expect(await code(begin(page))).toBe('reauthentication.required')
  await reauthenticate(page)
  const pending = await pendingOf(page)
  // Long at the provider: the reauthentication has expired when the person returns.
  server.advance(599)
  await server.platform.sql`update reauthentications set reauthenticated_at = reauthenticated_at - interval '1 minute'`
  expect(await code(complete(page, pending))).toBe('reauthentication.required')
  await reauthenticate(page)
  expect((await complete(page, pending)).status).toBe(200)
  server.advance(601)
  expect(await code(unbind(page))).toBe('reauthentication.required')
  await reauthenticate(page)
  expect((await unbind(page)).status).toBe(200)
  const audit = await server.platform.sql<{ action: string; after: unknown; before: unknown }[]>`
    select action, before, after from audit_records where target_id = ${page.user.userId} and action like 'third-party.%' order by at`
  const masked = { provider: 'Campus ID', name: 'L***i' }
  expect(audit).toEqual([
    { action: 'third-party.bind', before: null, after: masked },
    { action: 'third-party.unbind', before: masked, after: null },
  ])
  const notices = await server.platform.sql<{ template: string }[]>`
    select template from messages where user_id = ${page.user.userId} order by created_at`
  expect(notices.map(({ template }) => template)).toEqual(['notice.third-party-bound', 'notice.third-party-unbound'])
})

test('the result waits for the person who began, in the session and browser where they began, for one use', async () => {
  await addCampusId(server)
  await forgetAll()
  const page = await entered()
  await reauthenticate(page)
  const pending = await pendingOf(page)
  // The same person elsewhere; somebody else in the same browser would be another session too.
  const elsewhere = await enterPortal(server, page.user.account)
  await reauthenticate(elsewhere)
  expect(await code(complete(elsewhere, pending))).toBe('third-party.flow-invalid')
  const stranger = await entered()
  stranger.browser.setCookie('gatehouse_browser', page.browser.cookie('gatehouse_browser') ?? '')
  await reauthenticate(stranger)
  expect(await code(complete(stranger, pending))).toBe('third-party.flow-invalid')
  expect(await code(complete(page, 'x'.repeat(32)))).toBe('third-party.flow-invalid')
  const both = await Promise.all([complete(page, pending), complete(page, pending)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await code(complete(page, pending))).toBe('third-party.flow-invalid')
})

test("an attacker's account can't be linked in a victim's browser", async () => {
  await addCampusId(server)
  await forgetAll()
  const attacker = await entered()
  await reauthenticate(attacker)
  const begun = await begin(attacker)
  const callback = new URL(await atProvider(begun.data.redirectUrl, { user: '30000003' }))
  const victim = await entered()
  await reauthenticate(victim)
  const answer = await victim.browser.get(callback.pathname + callback.search)
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('started in this browser, took too long')
  expect((await listed(victim))[0]?.bound).toBeNull()
  // It is invalid for the attacker as well.
  expect((await attacker.browser.get(callback.pathname + callback.search)).status).toBe(400)
})

test('unlinking invalidates whatever was begun before', async () => {
  await addCampusId(server)
  await forgetAll()
  const page = await entered()
  await reauthenticate(page)
  const early = await pendingOf(page)
  await complete(page, await pendingOf(page))
  expect((await unbind(page)).status).toBe(200)
  expect(await code(complete(page, early))).toBe('third-party.flow-invalid')
  expect((await listed(page))[0]?.bound).toBeNull()
})

test('one account belongs to one person, and one person has one account at a provider', async () => {
  await addCampusId(server)
  await forgetAll()
  const page = await entered()
  await bindAccount(page)
  expect(await code(begin(page))).toBe('third-party.already-bound')
  const other = await entered()
  await reauthenticate(other)
  expect(await code(complete(other, await pendingOf(other)))).toBe('third-party.taken')
  // Two people at the same moment.
  const [left, right] = [await entered(), await entered()]
  await Promise.all([reauthenticate(left), reauthenticate(right)])
  const codes = [await pendingOf(left, { user: '30000002' }), await pendingOf(right, { user: '30000002' })]
  const replies = await Promise.all([complete(left, codes[0] ?? ''), complete(right, codes[1] ?? '')])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('the last login method can not be removed', async () => {
  const campus = await addCampusId(server)
  await addProvider(server, campus, { key: 'other-id', name: 'Other ID', position: 1 })
  await forgetAll()
  const page = await entered()
  await bindAccount(page)
  await reauthenticate(page)
  await server.platform.sql`delete from passwords where user_id = ${page.user.userId}`
  expect((await listed(page))[0]?.bound?.isLastMethod).toBe(true)
  expect(await code(unbind(page))).toBe('third-party.last-method')
  expect((await listed(page))[0]?.bound).not.toBeNull()
  // Another one is left, but not if both are removed at the same time.
  campus.redirectUri = `${server.url}/auth_service/third_party/other-id/callback`
  expect((await complete(page, await pendingOf(page, { key: 'other-id' }))).status).toBe(200)
  const replies = await Promise.all([unbind(page), unbind(page, 'other-id')])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await server.platform.sql`delete from third_party_providers where key = 'other-id'`
  await server.platform.cache.invalidate(server.platform.sql, 'third-party-providers')
})

test('a disabled provider is not offered, and an account linked there can still be unlinked', async () => {
  const campus = await addCampusId(server)
  await forgetAll()
  const page = await entered()
  await bindAccount(page)
  const stranger = await entered()
  await reauthenticate(stranger)
  const pending = await pendingOf(stranger, { user: '30000002' })
  await addProvider(server, campus, { enabled: false })
  expect(await code(complete(stranger, pending))).toBe('third-party.unknown')
  expect(await code(begin(stranger))).toBe('third-party.unknown')
  expect(await listed(stranger)).toEqual([])
  expect(await listed(page)).toEqual([expect.objectContaining({ enabled: false })])
  expect(await comesIn()).toBe(false)
  expect((await unbind(page)).status).toBe(200)
  await addProvider(server, campus, { enabled: true })
})

test('an unknown person who comes to log in may link with the password, and continues to the application', async () => {
  const campus = await addCampusId(server, { unbound: 'bind' })
  await forgetAll()
  const account = `person${++people}`
  await addPerson(server, { account })
  const browser = createBrowser(server)
  const offer = await logInBy(server, browser)
  expect(offer.status).toBe(200)
  const pending = /third-party-account\?bind=(\w{32})/.exec(offer.text)?.[1] ?? ''
  expect(pending).not.toBe('')
  // A login here, in the same browser, is the proof: nobody is asked for the password twice.
  const page = await enterPortal(server, account, PASSWORD, browser)
  const asked = await page.call('/third_party_account/pending/', { body: { code: pending } })
  expect(asked.data).toMatchObject({ provider: 'campus-id', displayName: 'L***i', begunHere: false })
  const done = await complete(page, pending)
  expect([done.status, done.envelope.code, done.data]).toMatchObject([200, undefined, { next: null }])
  expect(await comesIn()).toBe(true)
  await addProvider(server, campus, { unbound: 'refuse' })
})

test('a person who was logged in already must reauthenticate before an unknown account is linked', async () => {
  const campus = await addCampusId(server, { unbound: 'bind' })
  await forgetAll()
  const page = await entered()
  const offer = await logInBy(server, page.browser)
  const pending = /third-party-account\?bind=(\w{32})/.exec(offer.text)?.[1] ?? ''
  expect(await code(complete(page, pending))).toBe('reauthentication.required')
  const elsewhere = await entered()
  await reauthenticate(elsewhere)
  expect(await code(complete(elsewhere, pending))).toBe('third-party.flow-invalid')
  await reauthenticate(page)
  expect((await complete(page, pending)).status).toBe(200)
  await addProvider(server, campus, { unbound: 'refuse' })
})

test('an account number given to somebody new brings nothing of the former owner', async () => {
  await addCampusId(server)
  await forgetAll()
  const former = await entered('recycled')
  await bindAccount(former)
  await server.platform.sql`update users set deleted_at = now() where id = ${former.user.userId}`
  await server.platform.sql`delete from login_names where user_id = ${former.user.userId}`
  expect(await comesIn()).toBe(false)
  const latter = await entered('recycled')
  expect(latter.user.userId).not.toBe(former.user.userId)
  expect((await listed(latter))[0]?.bound).toBeNull()
  // And the account at the provider is free again.
  await bindAccount(latter)
  expect(await comesIn()).toBe(true)
  expect((await logIn(server, 'recycled')).cookie('CASTGC')).toBeDefined()
})
