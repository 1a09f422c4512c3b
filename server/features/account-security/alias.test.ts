import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountSecurity } from '#shared/contract/account-security.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt, type Entered, enterPortal, setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await setPolicy(server, { addressFailures: 100_000, captchaAfterFailures: 100, lockAfterFailures: 100 })
})
afterAll(() => server.close())

async function reauthenticated(person: Parameters<typeof addPerson>[1]): Promise<Entered> {
  await addPerson(server, person)
  const page = await enterPortal(server, person.account)
  await reauthenticate(page)
  return page
}

const reauthenticate = (page: Entered) =>
  page.call('/reauthentication/submit/', { body: { method: 'password', answer: PASSWORD } })

const choose = async (page: Entered, alias: string) => {
  const reply = await page.call<AccountSecurity>(`/user_information/${page.user.userId}/bind_alias/`, {
    body: { alias },
  })
  return reply.status === 200 ? (reply.data.alias ?? '') : `${reply.status} ${reply.envelope.code}`
}
const drop = (page: Entered) => page.call(`/user_information/${page.user.userId}/unbind/`, { body: { kind: 'alias' } })

/** Days pass, which no session outlasts; logs in again. */
async function daysLater(account: string, days: number): Promise<Entered> {
  server.advance(days * 24 * 3600)
  const page = await enterPortal(server, account)
  await reauthenticate(page)
  return page
}

test('a new alias works for login from then on, however it is typed, and the former one no longer does', async () => {
  const page = await reauthenticated({ account: 'lilei', alias: 'old.alias' })
  expect(await choose(page, '  Ｌｉ.Lei ')).toBe('li.lei')
  expect(await attempt(server, 'LI.LEI')).toMatchObject({ status: 200 })
  expect(await attempt(server, 'old.alias')).toMatchObject({ status: 401 })
  expect(await attempt(server, 'lilei')).toMatchObject({ status: 200 })
  const [audit] = await server.platform.sql`
    select before, after from audit_records where action = 'account.alias-changed' and target_id = ${page.user.userId}`
  expect(audit).toEqual({ before: { alias: 'old.alias' }, after: { alias: 'li.lei' } })
})

test('an alias that is another person’s name in any form is rejected, without saying whose', async () => {
  await addPerson(server, { account: 'T2026001', phone: '13800000001', mailbox: 'han@example.edu', alias: 'hanmeimei' })
  const page = await reauthenticated({ account: 'greedy' })
  for (const taken of ['t2026001', 'Ｔ２０２６００１', 'HanMeiMei', 'ｈａｎｍｅｉｍｅｉ', 'admin', 'Help-Desk']) {
    expect(await choose(page, taken), taken).toBe('409 alias.taken')
  }
  for (const malformed of [
    '13800000001',
    '+86 138-0000-0001',
    '１３８０００００００１',
    'han@example.edu',
    '20260001',
    'abc',
    'а-cyrillic',
  ]) {
    expect(await choose(page, malformed), malformed).toBe('422 alias.malformed')
  }
  expect(await choose(page, 'greedy')).toBe('greedy')
  const names = await server.platform.sql`select kind from login_names where user_id = ${page.user.userId}`
  expect([...names]).toEqual([{ kind: 'account' }])
})

test('of two people who want one alias at once one gets it', async () => {
  const pages = await Promise.all(Array.from({ length: 8 }, (_, i) => reauthenticated({ account: `wisher-${i}` })))
  const answers = await Promise.all(pages.map((page) => choose(page, 'the.one')))
  expect(answers.filter((answer) => answer === 'the.one')).toHaveLength(1)
  expect(answers.filter((answer) => answer === '409 alias.taken')).toHaveLength(7)
})

test('an alias that somebody gave up is reserved for them for ninety days', async () => {
  const page = await reauthenticated({ account: 'giver', alias: 'well.known' })
  const other = await reauthenticated({ account: 'waiter' })
  expect((await drop(page)).status).toBe(200)
  expect(await choose(other, 'well.known')).toBe('409 alias.taken')
  expect(await choose(page, 'well.known')).toBe('well.known')
  await drop(page)
  expect(await choose(await daysLater('waiter', 89), 'well.known')).toBe('409 alias.taken')
  expect(await choose(await daysLater('waiter', 2), 'well.known')).toBe('well.known')
})

test('an alias can be changed three times within thirty days', async () => {
  const page = await reauthenticated({ account: 'fickle' })
  for (const alias of ['fickle-1', 'fickle-2', 'fickle-3']) expect(await choose(page, alias)).toBe(alias)
  expect(await choose(page, 'fickle-4')).toBe('429 alias.too-many-changes')
  expect(await choose(await daysLater('fickle', 31), 'fickle-4')).toBe('fickle-4')
})

test('probing for taken names is soon rate-limited', async () => {
  const page = await reauthenticated({ account: 'prober', alias: 'prober-alias' })
  await addPerson(server, { account: 'target-person' })
  const answers: string[] = []
  for (let i = 0; i < 22; i++) answers.push(await choose(page, 'target-person'))
  expect(answers.slice(0, 20)).toEqual(Array(20).fill('409 alias.taken'))
  expect(answers.slice(20)).toEqual(Array(2).fill('429 alias.too-many-tries'))
})
