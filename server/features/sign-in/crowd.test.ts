import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Db } from '../../platform/db.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { outsider } from '../../testing/outsider.ts'
import { addPerson, logIn, PASSWORD, postLogin } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { attempt, setPolicy } from '../../testing/sign-in.ts'

/** As many as the test server has connections. */
const CROWD = 6

test('a crowd whose logins hold every connection does not deadlock, even if the settings are invalidated just then', async () => {
  const server = await testServer()
  const accounts = Array.from({ length: CROWD }, (_, nth) => `crowd${nth}`)
  for (const account of accounts) await addPerson(server, { account })
  const sql = outsider(server)
  const logins: Promise<unknown>[] = []
  await sql.begin(async (tx) => {
    await tx`lock table users in exclusive mode`
    for (const account of accounts) logins.push(attempt(server, account))
    await expect.poll(() => lockWaits(sql), { timeout: 30_000, interval: 10 }).toBe(CROWD)
    await server.platform.cache.invalidate(tx, 'settings')
  })
  await Promise.all(logins)
  await expect.poll(async () => (await attempt(server, 'crowd0')).status, { timeout: 30_000 }).toBe(200)
})

test('a password imported from another system works on several devices at once while its hash is being replaced', async () => {
  const server = await testServer()
  const digest = createHash('md5').update(PASSWORD).digest('hex')
  await addPerson(server, { account: 'imported', password: undefined, passwordHash: `{MD5}${digest}` })
  const logins = await Promise.all(Array.from({ length: 4 }, () => attempt(server, 'imported')))
  expect(logins.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const [row] = await server.platform.sql`select hash from passwords`
  expect(row?.['hash']).toMatch(/^\$argon2id\$/)
})

test.each([
  [
    'frozen',
    (tx: Db) => tx`update users set frozen_from = '2020-01-01'`,
    { status: 403, code: 'sign-in.frozen' },
    'account.frozen',
  ],
  [
    'disabled',
    (tx: Db) => tx`update users set enabled = false`,
    { status: 403, code: 'sign-in.disabled' },
    'account.disabled',
  ],
  [
    'given another password',
    (tx: Db) => tx`update passwords set changed_at = changed_at + interval '1 second'`,
    { status: 401, code: 'sign-in.refused' },
    'password.wrong',
  ],
])(
  'a login of an account that is %s at that moment is refused, and the record says why',
  async (_, change, told, reason) => {
    const server = await testServer()
    await addPerson(server, { account: 'meanwhile' })
    const sql = outsider(server)
    const login = await sql.begin(async (tx) => {
      await change(tx)
      const running = attempt(server, 'meanwhile')
      await expect.poll(() => lockWaits(sql), { timeout: 30_000, interval: 10 }).toBe(1)
      return { running }
    })
    expect(await login.running).toMatchObject(told)
    expect(await sql`select account, succeeded, reason from login_records`).toEqual([
      { account: 'meanwhile', succeeded: false, reason },
    ])
    expect(await sql`select 1 from sso_sessions`).toHaveLength(0)
    expect(await sql`select 1 from known_devices`).toHaveLength(0)
  },
)

test('a login in a browser whose session ends at that moment opens a new one', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'renewing' })
  const browser = await logIn(server, 'renewing')
  const sql = outsider(server)
  const login = await sql.begin(async (tx) => {
    await tx`lock table users in exclusive mode`
    const running = postLogin(browser, { username: 'renewing' })
    await expect.poll(() => lockWaits(sql), { timeout: 30_000, interval: 10 }).toBe(1)
    await tx`update sso_sessions set ended_at = opened_at`
    return { running }
  })
  await login.running
  expect((await browser.get('/fwk_cas_service/login')).status).toBe(200)
  expect(await sql`select 1 from sso_sessions where ended_at is null`).toHaveLength(1)
})

const LONG_WAIT = { timeout: 30_000, interval: 10 }

type Begin = () => Promise<{ status: number }>

const loginOf = async (server: TestServer): Promise<Begin> => {
  return () => attempt(server, 'both')
}

const passwordChangeOf = async (server: TestServer, userId: string): Promise<Begin> => {
  const page = await openPortal(server, { userId })
  const body = { oldPassword: PASSWORD, newPassword: 'Quite-another-7-word' }
  return () => page.call(`/user_information/${userId}/update_password/`, { body })
}

test.each([
  ['a login', loginOf],
  ['a change of the password', passwordChangeOf],
])('%s waits for a recovery of the same person and holds nothing that it needs', async (_, prepare) => {
  const server = await testServer()
  const userId = await addPerson(server, { account: 'both' })
  const begin = await prepare(server, userId)
  const sql = outsider(server)
  const { running } = await sql.begin(async (tx) => {
    await tx`select from users where id = ${userId} for no key update`
    const waiting = begin()
    await expect.poll(() => lockWaits(sql), LONG_WAIT).toBe(1)
    await tx`select from passwords where user_id = ${userId} for no key update nowait`
    return { running: waiting }
  })
  expect((await running).status).toBe(200)
})

test('attempts queued for a name that is assigned to somebody meanwhile are all answered', async () => {
  const server = await testServer()
  await setPolicy(server, { lockAfterFailures: 2, captchaAfterFailures: 5 })
  await attempt(server, 'newcomer', 'wrong')
  const sql = outsider(server)
  // One more failure is allowed, so one attempt runs and holds its counter; the others wait behind it.
  const { attempts } = await sql.begin(async (tx) => {
    await tx`lock table attempt_counters in share mode`
    const first = attempt(server, 'newcomer', 'wrong')
    await expect.poll(() => lockWaits(sql), LONG_WAIT).toBe(1)
    const others = Array.from({ length: 3 }, () => attempt(server, 'newcomer'))
    for (let round = 0; round < 10; round += 1) await fetch(`${server.url}/readyz`)
    await addPerson(server, { account: 'newcomer' })
    return { attempts: [first, ...others] }
  })
  expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([401, 200, 200, 200])
})
