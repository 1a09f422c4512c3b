import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson } from '../../testing/people.ts'
import {
  codeOf,
  reauthenticate,
  setUpApp,
  setUpPasskey,
  submitPassword,
  submitSecondFactor,
  totpCode,
} from '../../testing/second-factors.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal, setPolicy } from '../../testing/sign-in.ts'
import { resetSecondFactors } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ host: 'localhost' })
  await setPolicy(server, { secondFactorSuperUsers: false })
})
afterAll(() => server.close())

let count = 0
const reauthenticated = async (isSuperUser = false) => {
  const account = `person-${++count}`
  const userId = await addPerson(server, { account, isSuperUser })
  const page = await enterPortal(server, account)
  await reauthenticate(page)
  return { account, userId, page }
}
const actionsOn = async (userId: string) => {
  const rows = await server.platform.sql<{ action: string }[]>`
    select action from audit_records where target_id = ${userId} and action ~ '^(totp|passkey|recovery|trusted|second)'
    order by at, id`
  return rows.map(({ action }) => action)
}

test('every change requires reauthentication', async () => {
  const account = `person-${++count}`
  await addPerson(server, { account })
  const page = await enterPortal(server, account)
  const calls = ['totp/start', 'totp/remove', 'recovery_codes/renew'].map(
    (name) => [`/second_factor/${name}/`, {}] as const,
  )
  const id = page.user.userId
  for (const [path, body] of [...calls, ['/passkey/options/', {}] as const, ['/passkey/remove/', { id }] as const]) {
    expect([path, (await page.call(path, { body })).envelope.code]).toEqual([path, 'reauthentication.required'])
  }
})

test('an app is set up only once a code of it was entered, within ten minutes', async () => {
  const { account, page } = await reauthenticated()
  const started = await page.call<{ secret: string; uri: string }>('/second_factor/totp/start/', { body: {} })
  expect(started.data.uri).toMatch(/^otpauth:\/\/totp\/.*secret=/)
  expect(started.data.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect((await submitPassword(createBrowser(server), account)).status).toBe(200)
  const wrong = await page.call('/second_factor/totp/confirm/', { body: { code: '000000' } })
  expect(wrong.envelope.code).toBe('second-factor.code-wrong')
  server.advance(601)
  await reauthenticate(page)
  const late = await page.call('/second_factor/totp/confirm/', {
    body: { code: totpCode(server, started.data.secret) },
  })
  expect(late.envelope.code).toBe('second-factor.setup-expired')
})

test('the code that confirmed the app can not be used for a login', async () => {
  const { account, page } = await reauthenticated()
  const { data } = await page.call<{ secret: string }>('/second_factor/totp/start/', { body: {} })
  const code = totpCode(server, data.secret)
  expect((await page.call('/second_factor/totp/confirm/', { body: { code } })).status).toBe(200)
  const browser = createBrowser(server)
  await submitPassword(browser, account)
  expect(codeOf(await submitSecondFactor(browser, { code }))).toBe('sign-in.second-factor-wrong')
})

test('new recovery codes replace the old ones; neither is stored in clear', async () => {
  const { account, userId, page } = await reauthenticated()
  const { secret, recoveryCodes } = await setUpApp(server, page)
  const renewed = await page.call<{ recoveryCodes: string[] }>('/second_factor/recovery_codes/renew/', { body: {} })
  expect(renewed.data.recoveryCodes).toHaveLength(10)
  const browser = createBrowser(server)
  await submitPassword(browser, account)
  expect((await submitSecondFactor(browser, { code: recoveryCodes[0] ?? '' })).status).toBe(401)
  expect((await submitSecondFactor(browser, { code: renewed.data.recoveryCodes[0] ?? '' })).status).toBe(200)
  const rows = await server.platform.sql`
    select f::text as a, (select string_agg(c::text, ' ') from recovery_codes c where c.user_id = f.user_id) as b
    from second_factors f where user_id = ${userId}`
  const dump = JSON.stringify(rows)
  expect(dump).not.toContain(secret)
  for (const code of [...recoveryCodes, ...renewed.data.recoveryCodes]) expect(dump).not.toContain(code)
  expect(await actionsOn(userId)).toEqual(['totp.add', 'recovery-code.renew', 'recovery-code.use'])
})

test('without a factor left, codes and trusted browsers are gone and the password is enough', async () => {
  const { account, userId, page } = await reauthenticated()
  const { secret } = await setUpApp(server, page)
  const browser = createBrowser(server)
  await submitPassword(browser, account)
  await submitSecondFactor(browser, { code: totpCode(server, secret), trust: true })
  expect((await page.call('/second_factor/totp/remove/', { body: {} })).status).toBe(200)
  expect((await submitPassword(createBrowser(server), account)).status).toBe(200)
  const { data } = await page.call('/second_factor/query/')
  expect(data).toMatchObject({ totp: null, recoveryCodes: null, passkeys: [], trustedBrowsers: [] })
  expect(await actionsOn(userId)).toEqual(['totp.add', 'totp.remove'])
  expect((await page.call('/second_factor/recovery_codes/renew/', { body: {} })).envelope.code).toBe(
    'second-factor.none',
  )
})

test('the last factor can not be removed while a rule requires one, whichever it is', async () => {
  const { page } = await reauthenticated(true)
  await setUpApp(server, page)
  await setUpPasskey(server, page)
  await setPolicy(server, { secondFactorSuperUsers: true })
  try {
    expect((await page.call('/second_factor/totp/remove/', { body: {} })).status).toBe(200)
    const { data } = await page.call<{ passkeys: { id: string }[]; demanded: boolean }>('/second_factor/query/')
    expect(data.demanded).toBe(true)
    const removed = await page.call('/passkey/remove/', { body: { id: data.passkeys[0]?.id } })
    expect([removed.status, removed.envelope.code]).toEqual([409, 'second-factor.last'])
    const after = await page.call<{ passkeys: object[] }>('/second_factor/query/')
    expect(after.data.passkeys).toHaveLength(1)
  } finally {
    await setPolicy(server, { secondFactorSuperUsers: false })
  }
})

test('nobody can change what belongs to somebody else', async () => {
  const mine = await reauthenticated()
  const { reply } = await setUpPasskey(server, mine.page)
  expect(reply.status).toBe(200)
  const { data } = await mine.page.call<{ passkeys: { id: string }[] }>('/second_factor/query/')
  const id = data.passkeys[0]?.id
  const other = await reauthenticated()
  expect((await other.page.call('/passkey/rename/', { body: { id, name: 'Mine now' } })).status).toBe(404)
  expect((await other.page.call('/passkey/remove/', { body: { id } })).status).toBe(404)
  expect((await mine.page.call('/passkey/rename/', { body: { id, name: 'Still mine' } })).status).toBe(200)
  expect(await actionsOn(mine.userId)).toEqual(['passkey.add', 'passkey.rename'])
})

test('an operator can remove every factor: the sessions end, and the rule leads to a new one', async () => {
  const { account, userId, page } = await reauthenticated(true)
  await setUpApp(server, page)
  const ctx = {
    ...server.platform,
    db: server.platform.sql,
    caller: null,
    client: { requestId: 'test', ip: '127.0.0.1', userAgent: '', language: 'en' },
  } as const
  await resetSecondFactors(ctx, account)
  expect((await page.call('/second_factor/query/')).status).toBe(401)
  expect((await submitPassword(createBrowser(server), account)).status).toBe(200)
  expect(await actionsOn(userId)).toEqual(['totp.add', 'second-factor.reset'])
  await expect(resetSecondFactors(ctx, 'nobody')).rejects.toThrow('there is no account nobody')
})

test('a password alone can not replace a passkey by another factor', async () => {
  const { account, userId, page } = await reauthenticated()
  await setUpPasskey(server, page)
  const [{ id } = { id: '' }] = await server.platform.sql<{ id: string }[]>`
    select id from passkeys where user_id = ${userId}`
  const thief = await enterPortal(server, account)
  for (const [path, body] of [
    ['/second_factor/totp/start/', {}],
    ['/passkey/options/', {}],
    ['/passkey/remove/', { id }],
    ['/second_factor/recovery_codes/renew/', {}],
  ] as const) {
    await reauthenticate(thief)
    const refused = await thief.call(path, { body })
    expect([path, refused.envelope.code]).toEqual([path, 'second-factor.other-method-needed'])
    expect(refused.envelope.data).toEqual({ without: ['password'] })
    // The page asks again, for another method.
    const code = async () => (await thief.call(path, { body })).envelope.code
    expect([path, await code()]).toEqual([path, 'reauthentication.required'])
  }
  const overview = async (one: typeof thief) =>
    (await one.call<{ insufficientMethods: string[] }>('/second_factor/query/')).data.insufficientMethods
  // So that the page asks for another one first.
  expect([await overview(thief), await overview(page)]).toEqual([['password'], []])
  // Allowed with another authenticator than the login's, such as a code to the phone.
  await reauthenticate(thief)
  await server.platform.sql`
    update reauthentications set method = 'phone' where portal_session_id in (
      select p.id from portal_sessions p join sso_sessions s on s.id = p.sso_session_id where s.user_id = ${userId})`
  expect((await thief.call('/passkey/remove/', { body: { id } })).status).toBe(200)
})

test('new recovery codes are notified to every bound contact', async () => {
  const { userId, page } = await reauthenticated()
  await setUpApp(server, page)
  await server.platform.sql`update users set mailbox = 'told@example.edu' where id = ${userId}`
  await page.call('/second_factor/recovery_codes/renew/', { body: {} })
  const told = await server.platform.sql`select template, channel from messages where user_id = ${userId}`
  expect([...told]).toEqual([{ template: 'notice.recovery-codes-renewed', channel: 'mail' }])
})
