import { expect, test } from 'vitest'
import { applyBootstrap } from '../../features/bootstrap/index.ts'
import { createBrowser } from '../../testing/browser.ts'
import { openService, ticketFor, ticketTraces, validateP3 } from '../../testing/cas.ts'
import { addCasApplication, addPerson, logIn, PASSWORD, postLogin } from '../../testing/people.ts'
import { testServer } from '../../testing/server.ts'

const MAIL = 'https://mail.test/'

async function withMail() {
  const server = await testServer()
  await addPerson(server, { account: 'lilei', mailbox: 'lilei@example.edu' })
  await addPerson(server, { account: 'nobody' })
  await addCasApplication(server, { appId: 'mail', name: 'Mail', userAttribute: 'mailbox' })
  return server
}

test('a person without the mailbox by which an application knows people sees a page that says so, and gets no ticket', async () => {
  const server = await withMail()
  const browser = await logIn(server, 'nobody')
  const before = await ticketTraces(server)
  const page = await openService(browser, MAIL)
  expect([page.status, page.location]).toEqual([403, ''])
  expect(page.text).toContain('Your account has no email address')
  expect(page.text).toContain('Mail identifies people by their email address')
  expect(page.text).toContain('href="/auth_web/account-security/set-account"')
  expect(await ticketTraces(server)).toBe(before)
  expect(await ticketFor(await logIn(server, 'lilei'), MAIL)).toMatch(/^ST-/)
})

test('the same is said after the password too, to a form and to a script', async () => {
  const server = await withMail()
  const page = await postLogin(createBrowser(server), { username: 'nobody' }, { service: MAIL })
  expect([page.status, page.location]).toEqual([403, ''])
  expect(page.text).toContain('Your account has no email address')
  const script = createBrowser(server)
  const answer = await script.post(
    `/fwk_cas_service/login?service=${MAIL}`,
    { username: 'nobody', password: PASSWORD },
    { accept: 'application/json' },
  )
  expect([answer.status, answer.json<{ code: string }>().code]).toEqual([403, 'application.mailbox-missing'])
})

test('through the gateway such a person goes back without a ticket', async () => {
  const server = await withMail()
  const { status, location } = await openService(await logIn(server, 'nobody'), MAIL, { gateway: 'true' })
  expect([status, location]).toEqual([302, MAIL])
})

test('a new mailbox gives access at once, and a removed one fails the validation', async () => {
  const server = await withMail()
  const browser = await logIn(server, 'nobody')
  const set = (mailbox: string | null) =>
    applyBootstrap(server.platform, { users: [{ account: 'nobody', name: 'Nobody', mailbox }] }, { source: 'test' })
  await set('nobody@example.edu')
  expect((await validateP3(server, MAIL, await ticketFor(browser, MAIL))).user).toBe('nobody@example.edu')
  const ticket = await ticketFor(browser, MAIL)
  await set(null)
  const answer = await validateP3(server, MAIL, ticket)
  expect([answer.user, answer.code]).toEqual([null, 'INVALID_TICKET'])
})

test.each([
  ['phone', 'Your account has no phone number'],
  ['alias', 'Your account has no login alias'],
] as const)('the page names what is missing: %s', async (userAttribute, title) => {
  const server = await withMail()
  await addCasApplication(server, { appId: 'other', userAttribute })
  expect((await openService(await logIn(server, 'nobody'), 'https://other.test/')).text).toContain(title)
})
