import { expect, test } from 'vitest'
import type { ImpactFigure } from '#shared/contract/policy-impact.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, PASSWORD, postLogin } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { onlyLoginNames, setFieldRules, setPolicy } from '../../testing/sign-in.ts'

const predict = async (page: Portal, changes: object, of = 'login_config') => {
  const { data } = await page.call<{ figures: ImpactFigure[] }>(`/policy_impact/${of}/`, { body: { changes } })
  return Object.fromEntries(data.figures.map((figure) => [figure.key, figure]))
}
const accountsOf = (figure: ImpactFigure | undefined) => figure?.rows.map(({ person }) => person.account).toSorted()

type Attempt = [minute: number, username: string, isRight: boolean]

/** Three failures within the window, three that are further apart, and two with a success in between. */
const ATTEMPTS: Attempt[] = [
  [0, 'often', false],
  [0, 'seldom', false],
  [0, 'recovers', false],
  [1, 'often', false],
  [2, 'recovers', false],
  [3, 'recovers', true],
  [4, 'often', false],
  [5, 'recovers', false],
  [9, 'seldom', false],
  [18, 'seldom', false],
  [19, '139 0000 6611', true],
  [20, 'CALLER', true],
]
const PEOPLE = ['often', 'seldom', 'recovers']

/** Makes the attempts with unknown browsers. @returns the status of each */
async function makeAttempts(server: TestServer): Promise<number[]> {
  const statuses: number[] = []
  let minute = 0
  for (const [at, username, isRight] of ATTEMPTS) {
    server.advance((at - minute) * 60)
    minute = at
    const answer = await postLogin(createBrowser(server), { username, password: isRight ? PASSWORD : 'Wrong-horse-1' })
    statuses.push(answer.status)
  }
  return statuses
}

async function lockedAccounts(server: TestServer): Promise<string[]> {
  const rows = await server.platform.sql<{ account: string }[]>`
    select distinct u.account from audit_records a join users u on u.id = a.user_id
    where a.action = 'account.lock-by-failures' order by 1`
  return rows.map(({ account }) => account)
}

test('the predicted effect of a draft is what happens once it is published and the same logins are repeated', async () => {
  const server = await testServer()
  for (const account of PEOPLE) await addPerson(server, { account })
  await addPerson(server, { account: 'caller', phone: '13900006611' })
  const page = await openPortal(server, { isSuperUser: true })
  await setPolicy(server, { captchaAfterFailures: 1000, addressFailures: 1000, sessionIdleMinutes: 400 })
  const before = await makeAttempts(server)
  expect(before.filter((status) => status === 200)).toHaveLength(3)
  const draft: Partial<SignInPolicy> = { lockAfterFailures: 3, failureWindowMinutes: 15 }
  const fields = onlyLoginNames('account')
  const figures = { ...(await predict(page, draft)), ...(await predict(page, fields, 'account_fields')) }
  expect(Object.keys(figures)).toEqual(['people-locked', 'logins-by-name'])
  expect(figures['logins-by-name']).toMatchObject({ count: 1, people: 1, isAtLeast: false })
  expect(accountsOf(figures['logins-by-name'])).toEqual(['caller'])
  expect(accountsOf(figures['people-locked'])).toEqual(['often'])

  await setPolicy(server, draft)
  await setFieldRules(server, fields)
  server.advance(24 * 3600)
  const after = await makeAttempts(server)
  const refused = ATTEMPTS.filter(([, , isRight], at) => isRight && before[at] === 200 && after[at] !== 200)
  expect(refused.map(([, username]) => username)).toEqual(['139 0000 6611'])
  expect(await lockedAccounts(server)).toEqual(accountsOf(figures['people-locked']))
})

test('logins by a removed method and sessions that would end are counted; figures that can not change are not computed', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  expect((await postLogin(createBrowser(server), { username: 'lilei' })).status).toBe(200)
  await openPortal(server, { account: 'idler' })
  server.advance(20 * 60)
  const page = await openPortal(server, { isSuperUser: true })
  expect(await predict(page, { lockMinutes: 5 })).toEqual({})
  expect(await predict(page, { 'phone.editableBy': 'nobody' }, 'account_fields')).toEqual({})
  const figures = await predict(page, { loginTypes: ['captcha'], sessionIdleMinutes: 10 })
  expect(figures['logins-by-type']).toMatchObject({ count: 1, people: 1, rows: [{ typed: 'lilei' }] })
  expect(figures['sessions-ended']).toMatchObject({ count: 2, people: 2, lookedBackTo: null })
  expect(accountsOf(figures['sessions-ended'])).toEqual(['idler', 'lilei'])
})

test('a prediction writes nothing, and ignores records older than seven days', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  await postLogin(createBrowser(server), { username: 'lilei' })
  server.advance(8 * 24 * 3600)
  const page = await openPortal(server, { isSuperUser: true })
  const { sql } = server.platform
  const lines = async () => (await sql`select from audit_records`).length
  const count = await lines()
  const { 'logins-by-type': figure } = await predict(page, { loginTypes: ['captcha'] })
  expect(figure).toMatchObject({ count: 0, isAtLeast: false })
  expect(await lines()).toBe(count)
})

const asked = (answers: readonly number[], before: readonly number[]) =>
  ATTEMPTS.flatMap(([, username, isRight], at) =>
    isRight && before[at] === 200 && answers[at] !== 200 ? [username] : [],
  )

test.each([
  ['by failures of the person', { captchaAfterFailures: 2 }, ['recovers']],
  ['by failures from the address', { addressFailures: 3 }, ['recovers']],
  ['by a window that is longer', { captchaAfterFailures: 2, failureWindowMinutes: 1 }, []],
  ['of everybody', { captchaAfterFailures: 0 }, ['139 0000 6611', 'CALLER', 'recovers']],
] as const)('who would be asked for a captcha is who is asked, %s', async (_, draft, expected) => {
  const server = await testServer()
  for (const account of PEOPLE) await addPerson(server, { account })
  await addPerson(server, { account: 'caller', phone: '13900006611' })
  const page = await openPortal(server, { isSuperUser: true })
  await setPolicy(server, {
    captchaAfterFailures: 1000,
    addressFailures: 1000,
    lockAfterFailures: 100,
    sessionIdleMinutes: 400,
  })
  const before = await makeAttempts(server)
  const { 'logins-captcha-risk': figure } = await predict(page, { ...draft })
  expect(figure).toMatchObject({ count: expected.length, isAtLeast: false })
  expect(figure?.rows.map(({ typed }) => typed).toSorted()).toEqual(expected)
  await setPolicy(server, draft)
  server.advance(24 * 3600)
  expect(asked(await makeAttempts(server), before).toSorted()).toEqual(expected)
})
