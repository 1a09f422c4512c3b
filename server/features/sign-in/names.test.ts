import { expect, test } from 'vitest'
import { addPerson, logIn, PASSWORD } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { verb } from '../../testing/school.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { attempt, setPolicy } from '../../testing/sign-in.ts'

const NAMES = { account: 'lilei', alias: 'little-li', phone: '13800000001', mailbox: 'lilei@example.edu' }
const ALL_NAMES = Object.values(NAMES)
const NO_CAPTCHA = { captchaAfterFailures: 1000, addressFailures: 100_000 }

async function fail(server: TestServer, names: readonly string[]) {
  for (const name of names) await attempt(server, name, 'wrong')
}

test('five failures in total over any of a person’s names lock all of them', async () => {
  const server = await testServer()
  await setPolicy(server, NO_CAPTCHA)
  await addPerson(server, NAMES)
  await fail(server, [...ALL_NAMES, 'LILEI'])
  for (const name of ALL_NAMES) expect([name, (await attempt(server, name)).status]).toEqual([name, 401])
  const reasons = await server.platform.sql`
    select reason, count(*)::int as n from login_records group by reason order by reason`
  expect([...reasons]).toEqual([
    { reason: 'attempts.locked', n: 4 },
    { reason: 'password.wrong', n: 5 },
  ])
})

test('of parallel guesses over all names of a person no more are verified than the limit allows', async () => {
  const server = await testServer()
  await setPolicy(server, NO_CAPTCHA)
  await addPerson(server, NAMES)
  await Promise.all(Array.from({ length: 24 }, (_, i) => attempt(server, ALL_NAMES[i % 4] ?? '', `guess-${i}`)))
  const [verified] = await server.platform.sql`
    select count(*)::int as n from login_records where reason = 'password.wrong'`
  expect(verified).toEqual({ n: 5 })
})

test('three failures over several names of a person require a captcha at each of them', async () => {
  const server = await testServer()
  await addPerson(server, NAMES)
  await fail(server, ['lilei', 'little-li'])
  expect(await attempt(server, NAMES.phone, 'wrong')).toMatchObject({ data: { captcha: { kind: 'proof-of-work' } } })
  expect(await attempt(server, NAMES.mailbox)).toMatchObject({ code: 'sign-in.captcha-required' })
})

test('a login by one name resets the failures at the others', async () => {
  const server = await testServer()
  await setPolicy(server, NO_CAPTCHA)
  await addPerson(server, NAMES)
  await fail(server, ['lilei', 'little-li', NAMES.phone, NAMES.mailbox])
  expect(await attempt(server, 'little-li')).toMatchObject({ status: 200 })
  await fail(server, ['lilei', 'little-li', NAMES.phone, NAMES.mailbox])
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 200 })
})

test('a known device has one counter for all names of its person', async () => {
  const server = await testServer()
  await setPolicy(server, NO_CAPTCHA)
  await addPerson(server, NAMES)
  const browser = await logIn(server, 'lilei')
  for (const name of [...ALL_NAMES, 'lilei']) await attempt(server, name, 'wrong', { browser })
  expect(await attempt(server, 'little-li', PASSWORD, { browser })).toMatchObject({ status: 401 })
  expect(await attempt(server, 'little-li')).toMatchObject({ status: 200 })
})

test('a name reassigned to somebody else takes no failures along, and leaves none behind', async () => {
  const server = await testServer()
  await setPolicy(server, NO_CAPTCHA)
  await addPerson(server, NAMES)
  const other = await addPerson(server, { account: 'hanmeimei' })
  await fail(server, Array(5).fill('little-li'))
  const { sql } = server.platform
  await sql`update users set alias = null where account = 'lilei'`
  await sql`update users set alias = 'little-li' where id = ${other}`
  await sql`update login_names set user_id = ${other} where canonical = 'little-li'`
  expect(await attempt(server, 'little-li')).toMatchObject({ status: 200 })
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 401 })
})

test('an unlock clears the failures at every name, of this person only', async () => {
  const server = await testServer()
  await setPolicy(server, NO_CAPTCHA)
  const id = await addPerson(server, NAMES)
  await addPerson(server, { account: 'hanmeimei' })
  await fail(server, [...ALL_NAMES, 'lilei', ...Array(5).fill('hanmeimei')])
  const root = await openPortal(server, { isSuperUser: true })
  expect((await verb(root, id, 'unlock')).status).toBe(200)
  expect(await attempt(server, NAMES.mailbox)).toMatchObject({ status: 200 })
  expect(await attempt(server, 'hanmeimei')).toMatchObject({ status: 401 })
})
