import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { type Entered, enterPortal, setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await setPolicy(server, { addressFailures: 100_000 })
})
afterAll(() => server.close())

type ReauthenticationStatus = { freshUntil: string | null; methods: { method: string; hint: string }[] }

const statusOf = async (page: Entered, token = page.token) =>
  (await page.call<ReauthenticationStatus>('/reauthentication/query/', { token })).data
const reauthenticate = (page: Entered, answer: string, method = 'password') =>
  page.call<{ freshUntil: string }>('/reauthentication/submit/', { body: { method, answer } })
const isFresh = async (page: Entered, token?: string) => (await statusOf(page, token)).freshUntil !== null

const entered = async (account: string, on = server) => {
  await addPerson(on, { account })
  return await enterPortal(on, account)
}

test('a reauthentication is valid for ten minutes, only in this portal session', async () => {
  const here = await entered('lilei')
  const elsewhere = await enterPortal(server, 'lilei')
  expect(await statusOf(here)).toEqual({ freshUntil: null, methods: [{ method: 'password', hint: '' }] })
  const answer = await reauthenticate(here, PASSWORD)
  expect(answer.status).toBe(200)
  expect(await isFresh(here)).toBe(true)
  expect(await isFresh(elsewhere)).toBe(false)
  server.advance(9 * 60)
  expect(await isFresh(here)).toBe(true)
  server.advance(61)
  expect(await isFresh(here)).toBe(false)
})

test('a reauthentication does not outlive a change of the password, nor the session', async () => {
  const page = await entered('hanmeimei')
  await reauthenticate(page, PASSWORD)
  server.advance(1)
  const changed = await page.call<{ token: string }>(`/user_information/${page.user.userId}/update_password/`, {
    body: { oldPassword: PASSWORD, newPassword: 'Quiet-lake-7731' },
  })
  expect(changed.status).toBe(200)
  expect(await isFresh(page, changed.data.token)).toBe(false)
  await page.call('/reauthentication/submit/', {
    body: { method: 'password', answer: 'Quiet-lake-7731' },
    token: changed.data.token,
  })
  expect(await isFresh(page, changed.data.token)).toBe(true)
  await page.browser.get('/auth_service/login/logout/', { token: page.token })
  const again = await enterPortal(server, 'hanmeimei', 'Quiet-lake-7731')
  expect(await isFresh(again)).toBe(false)
})

test('wrong passwords are counted with those of a password change, and then not even the correct one is verified', async () => {
  const page = await entered('guesser')
  const id = page.user.userId
  const wrong = async () => (await reauthenticate(page, 'Not-the-one-1')).envelope.code
  expect([await wrong(), await wrong()]).toEqual(Array(2).fill('reauthentication.wrong-password'))
  for (let i = 0; i < 2; i++) {
    const body = { oldPassword: 'Not-the-one-1', newPassword: 'Quiet-lake-7731' }
    expect((await page.call(`/user_information/${id}/update_password/`, { body })).envelope.code).toBe(
      'password.old-wrong',
    )
  }
  expect(await wrong()).toBe('password.too-many-attempts')
  expect(await reauthenticate(page, PASSWORD)).toMatchObject({ status: 429 })
  expect(await isFresh(page)).toBe(false)
  server.advance(16 * 60)
  expect((await reauthenticate(page, PASSWORD)).status).toBe(200)
})

test('of many parallel guesses no more than the limit are verified', async () => {
  const server = await testServer()
  const page = await entered('crowd', server)
  const replies = await Promise.all(Array.from({ length: 60 }, (_, i) => reauthenticate(page, `Guess-number-${i}`)))
  const tried = replies.filter(({ envelope }) => envelope.code === 'reauthentication.wrong-password')
  expect(tried.length).toBeLessThanOrEqual(4)
  expect((await reauthenticate(page, PASSWORD)).status).toBe(429)
})

test('a method that a person does not have, or that does not exist, is rejected', async () => {
  const page = await entered('plain')
  expect((await reauthenticate(page, '123456', 'phone')).envelope).toMatchObject({
    state: 409,
    code: 'reauthentication.method-unavailable',
  })
  expect((await reauthenticate(page, '123456', 'retina')).status).toBe(400)
  expect((await reauthenticate(page, '')).status).toBe(400)
})

test('a person who must change the password first can not reauthenticate', async () => {
  await addPerson(server, { account: 'newcomer', mustChangePassword: true })
  const page = await enterPortal(server, 'newcomer')
  expect((await reauthenticate(page, PASSWORD)).envelope).toMatchObject({ code: 'session.limited' })
})

test('who has nothing else to prove it with is asked for nothing within ten minutes after a login', async () => {
  const { sql } = server.platform
  const page = await entered('linkedonly')
  expect(await isFresh(page)).toBe(false)
  await sql`delete from passwords where user_id = ${page.user.userId}`
  expect(await statusOf(page)).toEqual({ freshUntil: expect.any(String), methods: [] })
  const unlink = async () => (await page.call('/third_party_account/elsewhere/unbind/', { body: {} })).envelope.code
  expect(await unlink()).toBe('third-party.not-bound')
  // An authenticator is something to prove it with.
  await sql`insert into second_factors (user_id, totp_confirmed_at, created_at) values (${page.user.userId}, now(), now())`
  expect(await unlink()).toBe('reauthentication.required')
  await sql`delete from second_factors where user_id = ${page.user.userId}`
  server.advance(10 * 60 + 1)
  expect(await unlink()).toBe('reauthentication.required')
  expect(await statusOf(page)).toEqual({ freshUntil: null, methods: [] })
})
