import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD_CONTEXT } from '#shared/rules/password-strength.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { outsider } from '../../testing/outsider.ts'
import { addPerson, logIn, PASSWORD } from '../../testing/people.ts'
import { callAs } from '../../testing/portal.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { attempt, type Entered, enterPortal, setPolicy } from '../../testing/sign-in.ts'
import { isCommonPassword } from './common-passwords.rules.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await setPolicy(server, { addressFailures: 100_000 })
})
afterAll(() => server.close())

const NEW = 'Quiet-lake-7731'

const change = (page: Entered, newPassword: string, oldPassword?: string, id = page.user.userId) =>
  page.call<{ token: string }>(`/user_information/${id}/update_password/`, {
    body: { newPassword, ...(oldPassword !== undefined && { oldPassword }) },
  })

const broken = async (page: Entered, password: string) => {
  const reply = await change(page, password, PASSWORD)
  expect(reply.envelope).toMatchObject({ state: 422, code: 'password.too-weak' })
  return (reply.data as unknown as { rules: string[] }).rules
}

test('a person who must change the password can do nothing else, and everything once it is changed', async () => {
  await addPerson(server, { account: 'newcomer', mustChangePassword: true })
  const page = await enterPortal(server, 'newcomer')
  expect(page.user.firstLogin).toBe('1')
  expect((await page.call('/certification_record/current_login/')).envelope).toMatchObject({
    state: 403,
    code: 'session.limited',
  })
  const changed = await change(page, NEW)
  expect(changed.status).toBe(200)
  const token = changed.data.token
  expect((await page.call('/certification_record/current_login/', { token })).status).toBe(200)
  expect((await page.call('/certification_record/current_login/')).status).toBe(401)
  expect(await attempt(server, 'newcomer')).toMatchObject({ status: 401 })
  const again = await enterPortal(server, 'newcomer', NEW)
  expect(again.user.firstLogin).toBe('0')
})

test('a change ends every other session of the person, on every node, and gives the current one new secrets', async () => {
  // A second node changes the portal's address, so this server is not shared.
  const server = await testServer()
  const id = await addPerson(server, { account: 'lilei' })
  const elsewhere = await enterPortal(server, 'lilei')
  const remembered = await logIn(server, 'lilei')
  const page = await enterPortal(server, 'lilei')
  const before = { sso: page.browser.cookie('CASTGC'), portal: page.browser.cookieHeader('/auth_service/') }
  const { data, status } = await change(page, NEW, PASSWORD)
  expect(status).toBe(200)
  const other = await server.secondNode()
  const alive = (browser = page.browser, token = data.token) =>
    callAs(other, browser, '/certification_record/current_login/', { token }).then((reply) => reply.status)
  expect(await alive()).toBe(200)
  expect(await alive(elsewhere.browser, elsewhere.token)).toBe(401)
  const stale = await page.call('/certification_record/current_login/', { cookie: before.portal, token: page.token })
  expect(stale.status).toBe(401)
  expect(page.browser.cookie('CASTGC')).not.toBe(before.sso)
  const open = await server.platform.sql`select 1 from sso_sessions where user_id = ${id} and ended_at is null`
  expect(open).toHaveLength(1)
  const whoAmI = async (browser: typeof remembered) => (await browser.get('/fwk_cas_service/login')).status
  expect(await whoAmI(page.browser)).toBe(200)
  expect(await whoAmI(remembered)).toBe(302)
  const audit = await server.platform.sql`
    select actor_id from audit_records where action = 'password.change' and target_id = ${id}`
  expect([...audit]).toEqual([{ actorId: id }])
})

test('without the old password, with a wrong one, or for somebody else nothing changes', async () => {
  await addPerson(server, { account: 'hanmeimei' })
  const other = await addPerson(server, { account: 'xiaowang' })
  const page = await enterPortal(server, 'hanmeimei')
  expect((await change(page, NEW)).envelope).toMatchObject({ state: 422, code: 'password.old-wrong' })
  expect((await change(page, NEW, 'wrong')).envelope).toMatchObject({ state: 422, code: 'password.old-wrong' })
  expect((await change(page, NEW, PASSWORD, other)).envelope).toMatchObject({ state: 403, code: 'password.not-yours' })
  expect(await attempt(server, 'hanmeimei')).toMatchObject({ status: 200 })
  expect(await attempt(server, 'xiaowang')).toMatchObject({ status: 200 })
})

test('the old password can not be guessed: after five wrong ones the correct one must wait too', async () => {
  await addPerson(server, { account: 'guessed' })
  const page = await enterPortal(server, 'guessed')
  const codes = []
  for (let i = 0; i < 5; i += 1) codes.push((await change(page, NEW, `guess-${i}`)).envelope.code)
  expect(codes).toEqual([...Array(4).fill('password.old-wrong'), 'password.too-many-attempts'])
  const late = await change(page, NEW, PASSWORD)
  expect(late.envelope).toMatchObject({ state: 429, code: 'password.too-many-attempts' })
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(60)
  server.advance(16 * 60)
  expect((await change(page, NEW, PASSWORD)).status).toBe(200)
})

test('guesses at the old password in progress count before another one is verified', async () => {
  await addPerson(server, { account: 'rushed' })
  const page = await enterPortal(server, 'rushed')
  const { sql } = server.platform
  // The cleanup job waits for the counters too.
  const counting = () => lockWaits(sql, '%insert into attempt_counters%')
  const late = await outsider(server).begin(async (tx) => {
    // Counters can be read but not written until the end of this transaction.
    await tx`lock table attempt_counters in exclusive mode`
    for (let i = 0; i < 5; i += 1) void change(page, NEW, `guess-${i}`)
    await expect.poll(counting, { timeout: 30_000, interval: 10 }).toBe(5)
    const running = change(page, NEW, PASSWORD)
    // If it had not waited for the others, it would be the sixth to wait for the counters.
    await expect
      .poll(counting, { timeout: 900, interval: 10 })
      .toBe(6)
      .catch(() => {})
    return { running }
  })
  expect((await late.running).envelope.code).toBe('password.too-many-attempts')
})

test('a password that is too easy is rejected with every reason', async () => {
  await addPerson(server, { account: '20260001', name: '李雷', phone: '13800000001', alias: 'thunder' })
  await server.platform.sql`update users set birthday = '2004-05-06' where account = '20260001'`
  const page = await enterPortal(server, '20260001')
  expect(await broken(page, 'abc')).toEqual(['too-short', 'no-digit', 'no-special'])
  expect(await broken(page, `Aa1-${'x'.repeat(61)}`)).toEqual(['too-long'])
  expect(await broken(page, 'x-20260001-y')).toEqual(['contains-account'])
  expect(await broken(page, 'LiLei-77-fox')).toEqual(['contains-name'])
  expect(await broken(page, '李雷-77-foxes')).toEqual(['contains-name'])
  expect(await broken(page, 'my-thunder-77')).toEqual(['contains-name'])
  expect(await broken(page, 'fox-13800000001')).toEqual(['contains-phone'])
  expect(await broken(page, 'fox-20040506')).toEqual(['contains-birthday'])
  expect(await broken(page, 'gatehouse-fox-7')).toEqual(['contains-institution'])
  const { message } = (await change(page, 'abc', PASSWORD)).envelope
  expect(message).toBe(
    'Please choose another password: at least 8 characters; a digit; a special character such as - or !',
  )
})

test.each([
  'P@ssw0rd',
  'P@ssword123',
  'Abc@1234',
  'Qwer@1234',
  'Woaini1314!',
  'Dragon2026!',
  '1qaz@WSX',
  'ADMIN@123',
  'ａｂｃ＠１２３４',
  'a123456!',
  '!QAZ2wsx',
])('%s is a common password', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

test.each(['Correct-horse-9', 'Quiet-lake-7731', 'dragon-8472-9916', '李-77-foxes', 'x9$Lq2!vT'])(
  '%s is not',
  (password) => {
    expect(isCommonPassword(password)).toBe(false)
  },
)

test('the bundled list has at least three thousand entries, each of them rejected', () => {
  const list = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  expect(list.length).toBeGreaterThan(3000)
  expect(list.filter((entry) => !isCommonPassword(entry))).toEqual([])
})

test('a common password is refused', async () => {
  await addPerson(server, { account: 'commoner' })
  const page = await enterPortal(server, 'commoner')
  expect(await broken(page, 'P@ssw0rd')).toEqual(['common'])
})

test('neither the current password nor one of the last five is accepted; the sixth is', async () => {
  await addPerson(server, { account: 'circular' })
  const passwords = [PASSWORD, ...'abcdef'.split('').map((letter) => `Quiet-lake-77-${letter}`)]
  const page = await enterPortal(server, 'circular')
  let token = page.token
  const next = async (password: string, old: string) => {
    const reply = await page.call<{ token: string }>(`/user_information/${page.user.userId}/update_password/`, {
      body: { newPassword: password, oldPassword: old },
      token,
    })
    if (reply.status === 200) token = reply.data.token
    return reply.status === 200 ? 'changed' : (reply.data as unknown as { rules: string[] }).rules
  }
  expect(await next(PASSWORD, PASSWORD)).toEqual(['former'])
  for (let i = 1; i < passwords.length; i += 1) {
    server.advance(1)
    expect(await next(passwords[i] ?? '', passwords[i - 1] ?? '')).toBe('changed')
  }
  for (const former of passwords.slice(1)) expect(await next(former, passwords.at(-1) ?? '')).toEqual(['former'])
  expect(await next(PASSWORD, passwords.at(-1) ?? '')).toBe('changed')
})

test('the page can request the password rules before anyone is logged in', async () => {
  const reply = await callAs(server, (await enterPortalOf('asker')).browser, '/login_config/password_policy/')
  expect(reply.data).toEqual({
    passwordMinLength: 8,
    passwordMaxLength: 64,
    passwordLevel: 3,
    passwordHistory: 5,
    passwordContext: [...PASSWORD_CONTEXT],
  })
})

async function enterPortalOf(account: string) {
  await addPerson(server, { account })
  return await enterPortal(server, account)
}

test('of parallel changes one succeeds, and the others are told', async () => {
  await addPerson(server, { account: 'hasty' })
  const page = await enterPortal(server, 'hasty')
  const replies = await Promise.all('abcd'.split('').map((letter) => change(page, `Quiet-lake-77-${letter}`, PASSWORD)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ status }) => status !== 200 && ![401, 409, 422].includes(status))).toEqual([])
})
