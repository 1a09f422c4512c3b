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

type ProofStatus = { freshUntil: string | null; methods: { method: string; hint: string }[] }

const proofStatus = async (page: Entered, token = page.token) =>
  (await page.call<ProofStatus>('/identity_proof/query/', { token })).data
const prove = (page: Entered, answer: string, method = 'password') =>
  page.call<{ freshUntil: string }>('/identity_proof/prove/', { body: { method, answer } })
const isFresh = async (page: Entered, token?: string) => (await proofStatus(page, token)).freshUntil !== null

const entered = async (account: string, on = server) => {
  await addPerson(on, { account })
  return await enterPortal(on, account)
}

test('a reauthentication is valid for ten minutes, only in this portal session', async () => {
  const here = await entered('lilei')
  const elsewhere = await enterPortal(server, 'lilei')
  expect(await proofStatus(here)).toEqual({ freshUntil: null, methods: [{ method: 'password', hint: '' }] })
  const proved = await prove(here, PASSWORD)
  expect(proved.status).toBe(200)
  expect(await isFresh(here)).toBe(true)
  expect(await isFresh(elsewhere)).toBe(false)
  server.advance(9 * 60)
  expect(await isFresh(here)).toBe(true)
  server.advance(61)
  expect(await isFresh(here)).toBe(false)
})

test('a proof does not outlive a change of the password, nor the session', async () => {
  const page = await entered('hanmeimei')
  await prove(page, PASSWORD)
  server.advance(1)
  const changed = await page.call<{ token: string }>(`/user_information/${page.user.userId}/update_password/`, {
    body: { oldPassword: PASSWORD, newPassword: 'Quiet-lake-7731' },
  })
  expect(changed.status).toBe(200)
  expect(await isFresh(page, changed.data.token)).toBe(false)
  await page.call('/identity_proof/prove/', {
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
  const wrong = async () => (await prove(page, 'Not-the-one-1')).envelope.code
  expect([await wrong(), await wrong()]).toEqual(Array(2).fill('identity-proof.wrong-password'))
  for (let i = 0; i < 2; i++) {
    const body = { oldPassword: 'Not-the-one-1', newPassword: 'Quiet-lake-7731' }
    expect((await page.call(`/user_information/${id}/update_password/`, { body })).envelope.code).toBe(
      'password.old-wrong',
    )
  }
  expect(await wrong()).toBe('password.too-many-attempts')
  expect(await prove(page, PASSWORD)).toMatchObject({ status: 429 })
  expect(await isFresh(page)).toBe(false)
  server.advance(16 * 60)
  expect((await prove(page, PASSWORD)).status).toBe(200)
})

test('of many parallel guesses no more than the limit are verified', async () => {
  const server = await testServer()
  const page = await entered('crowd', server)
  const replies = await Promise.all(Array.from({ length: 60 }, (_, i) => prove(page, `Guess-number-${i}`)))
  const tried = replies.filter(({ envelope }) => envelope.code === 'identity-proof.wrong-password')
  expect(tried.length).toBeLessThanOrEqual(4)
  expect((await prove(page, PASSWORD)).status).toBe(429)
})

test('a method that a person does not have, or that does not exist, is rejected', async () => {
  const page = await entered('plain')
  expect((await prove(page, '123456', 'phone')).envelope).toMatchObject({
    state: 409,
    code: 'identity-proof.method-unavailable',
  })
  expect((await prove(page, '123456', 'retina')).status).toBe(400)
  expect((await prove(page, '')).status).toBe(400)
})

test('a person who must change the password first can not reauthenticate', async () => {
  await addPerson(server, { account: 'newcomer', mustChangePassword: true })
  const page = await enterPortal(server, 'newcomer')
  expect((await prove(page, PASSWORD)).envelope).toMatchObject({ code: 'session.limited' })
})

test('who has nothing else to prove it with is asked for nothing within ten minutes after a login', async () => {
  const { sql } = server.platform
  const page = await entered('linkedonly')
  expect(await isFresh(page)).toBe(false)
  await sql`delete from passwords where user_id = ${page.user.userId}`
  expect(await proofStatus(page)).toEqual({ freshUntil: expect.any(String), methods: [] })
  const unlink = async () => (await page.call('/third_party_account/elsewhere/unbind/', { body: {} })).envelope.code
  expect(await unlink()).toBe('third-party.not-bound')
  // An authenticator is something to prove it with.
  await sql`insert into second_factors (user_id, totp_confirmed_at, created_at) values (${page.user.userId}, now(), now())`
  expect(await unlink()).toBe('identity-proof.required')
  await sql`delete from second_factors where user_id = ${page.user.userId}`
  server.advance(10 * 60 + 1)
  expect(await unlink()).toBe('identity-proof.required')
  expect(await proofStatus(page)).toEqual({ freshUntil: null, methods: [] })
})
