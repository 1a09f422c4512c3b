import { expect, test } from 'vitest'
import type { AccountSecurity } from '#shared/contract/account-security.ts'
import type { ImpactFigure } from '#shared/contract/policy-impact.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addReachablePerson, askForCode } from '../../testing/login-codes.ts'
import { codeSentTo } from '../../testing/messages.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { attempt, enterPortal, setPolicy } from '../../testing/sign-in.ts'

const DAY = 24 * 3600
const NEW_PASSWORD = 'Wide-river-47'

const figureOf = async (server: TestServer, changes: object) => {
  const page = await openPortal(server, { isSuperUser: true })
  const { data } = await page.call<{ figures: ImpactFigure[] }>('/policy_impact/login_config/', { body: { changes } })
  return data.figures.find(({ key }) => key === 'passwords-too-old')
}

test('a person whose password is too old changes it first at login, counted from when it was set', async () => {
  const server = await testServer({ env: { DEMO: '1' } })
  const { account, phone } = await addReachablePerson(server)
  server.advance(60 * DAY)
  await addPerson(server, { account: 'newcomer' })
  expect((await enterPortal(server, account)).user.firstLogin).toBe('0')
  const figure = await figureOf(server, { passwordMaxAgeDays: 60 })
  expect(figure).toMatchObject({ count: 1, people: 1, isAtLeast: false, lookedBackTo: null })
  expect(figure?.rows.map(({ person }) => person.account)).toEqual([account])
  await setPolicy(server, { passwordMaxAgeDays: 60, restTicketAddresses: ['127.0.0.0/8'] })
  expect((await enterPortal(server, 'newcomer')).user.firstLogin).toBe('0')
  expect((await figureOf(server, { passwordMaxAgeDays: 60 }))?.count).toBeUndefined()

  const byCode = createBrowser(server)
  await askForCode(server, byCode, phone)
  const form = { loginType: 'captcha', username: phone, code: await codeSentTo(server, phone) }
  await byCode.post('/fwk_cas_service/login', form)
  const limited = async () =>
    (await server.platform.sql`select limited from sso_sessions order by opened_at desc limit 1`)[0]
  expect(await limited()).toEqual({ limited: false })
  const rest = await createBrowser(server).post('/fwk_cas_service/v1/tickets', {
    username: account,
    password: PASSWORD,
  })
  expect(rest.status).not.toBe(201)

  const page = await enterPortal(server, account)
  expect(page.user.firstLogin).toBe('1')
  expect((await page.call('/user_information/account_security/')).envelope.code).toBe('session.limited')
  const changed = await page.call<{ token: string }>(`/user_information/${page.user.userId}/update_password/`, {
    body: { newPassword: NEW_PASSWORD },
  })
  expect(changed.status).toBe(200)
  expect((await enterPortal(server, account, NEW_PASSWORD)).user.firstLogin).toBe('0')
  server.advance(59 * DAY)
  expect((await enterPortal(server, account, NEW_PASSWORD)).user.firstLogin).toBe('0')
  server.advance(DAY)
  expect((await enterPortal(server, account, NEW_PASSWORD)).user.firstLogin).toBe('1')
  expect((await attempt(server, account, 'Wrong-horse-1')).code).toBe('sign-in.refused')
})

test('a session that logs in again with a password that has become too old is restricted too', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  await setPolicy(server, { passwordMaxAgeDays: 1, sessionMaxHours: 168, sessionIdleMinutes: 1440 })
  const page = await enterPortal(server, 'lilei')
  server.advance(23 * 3600)
  expect((await enterPortal(server, 'lilei', undefined, page.browser)).user.firstLogin).toBe('0')
  server.advance(3600)
  expect((await enterPortal(server, 'lilei', undefined, page.browser)).user.firstLogin).toBe('1')
})

test('the portal shows in the warning days until when the password is valid, and not before', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei' })
  const setAt = server.platform.now().getTime()
  await setPolicy(server, { passwordMaxAgeDays: 90, passwordWarnDays: 14 })
  const dueAt = async () =>
    (await (await enterPortal(server, 'lilei')).call<AccountSecurity>('/user_information/account_security/')).data
      .password.dueAt
  server.advance(75 * DAY)
  expect(await dueAt()).toBeNull()
  server.advance(DAY)
  expect(Math.abs(Date.parse((await dueAt()) ?? '') - setAt - 90 * DAY * 1000)).toBeLessThan(10_000)
  await setPolicy(server, { passwordWarnDays: 0 })
  expect(await dueAt()).toBeNull()
})
