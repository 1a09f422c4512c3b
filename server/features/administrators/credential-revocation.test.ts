import { expect, test } from 'vitest'
import type { Administrator } from '#shared/contract/administrators.ts'
import { createBrowser } from '../../testing/browser.ts'
import { codeSentTo } from '../../testing/messages.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { callAs, openPortal, type Portal } from '../../testing/portal.ts'
import { recoveryIn } from '../../testing/recovery.ts'
import { school, verb } from '../../testing/school.ts'
import {
  codeOf,
  reauthenticate,
  setUpApp,
  submitPassword,
  submitSecondFactor,
  totpCode,
} from '../../testing/second-factors.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { enterPortal, setPolicy } from '../../testing/sign-in.ts'
import { addCampusId, isIn, logInBy } from '../../testing/third-party.ts'

const DEMO = { env: { DEMO: '1' } }
const DAY = 86_400_000

async function institution() {
  const server = await testServer(DEMO)
  const { id, organizationId } = await school(server)
  return { server, id, organizationId, root: await openPortal(server, { account: 'root', isSuperUser: true }) }
}

type Appointee = { userId: string; organizationId: string }
const appointed = async (root: Portal, who: Appointee, more: object = {}) => {
  const body = { ...who, permissions: [], ...more }
  const { data, status } = await root.call<Administrator>('/administrator_manage/create/', { body })
  expect(status).toBe(200)
  return data
}

/** The two ways to make somebody an administrator. */
const APPOINTMENTS: [string, (root: Portal, who: Appointee) => Promise<unknown>][] = [
  ['a super user', (root, { userId }) => verb(root, userId, 'set_administrator')],
  ['an administrator of some organisations', (root, who) => appointed(root, who)],
]

const identityIsFresh = async (page: Pick<Portal, 'call'>) =>
  (await page.call<{ freshUntil: string | null }>('/reauthentication/query/')).data.freshUntil !== null

test.each(APPOINTMENTS)('an earlier activation code is invalid for somebody who becomes %s', async (_, appoint) => {
  const { server, id, organizationId, root } = await institution()
  const dean = await openPortal(server, { permissions: ['reset'], administers: organizationId('cs') })
  const [userId, colleague] = [id('20260002'), id('20260001')]
  const codeFor = async (person: string) =>
    (await dean.call<{ code: string }>(`/user_information/${person}/reset/`, { body: {} })).data.code
  const [code, other] = [await codeFor(userId), await codeFor(colleague)]
  await appoint(root, { userId, organizationId: organizationId('art') })
  const open = async (given: string) =>
    (await callAs(server, createBrowser(server), '/activate/code/', { body: { code: given } })).envelope.code
  expect(await open(code)).toBe('activation.code-refused')
  expect(await open(other)).toBeUndefined()
})

test.each(APPOINTMENTS)(
  'a recovery in progress ends when its person becomes %s; a new one works',
  async (_, appoint) => {
    const { server, organizationId, root } = await institution()
    const userId = await addPerson(server, { account: 'han', mailbox: 'han@example.edu' })
    const before = recoveryIn(server)
    const { id, proof } = await before.proved('han', 'mailbox', 'han@example.edu')
    await appoint(root, { userId, organizationId: organizationId('art') })
    expect((await before.set(id, 'mailbox', proof)).envelope.code).toBe('password-recovery.expired')
    server.advance(120)
    const anew = recoveryIn(server)
    const begun = (await anew.begin('han')).data
    await anew.send(begun.id, 'mailbox')
    const proved = await anew.byCode(begun.id, 'mailbox', await codeSentTo(server, 'han@example.edu', 2))
    expect((await anew.set(begun.id, 'mailbox', proved.data.proof)).status).toBe(200)
  },
)

test.each(APPOINTMENTS)(
  'an earlier login code does not log anybody in as %s, and is rejected like any wrong one',
  async (_, appoint) => {
    const { server, organizationId, root } = await institution()
    await setPolicy(server, { secondFactorSuperUsers: false })
    const userId = await addPerson(server, { account: 'han', mailbox: 'han@example.edu' })
    const browser = createBrowser(server)
    const ask = () =>
      callAs(server, browser, '/user_information/login/send_email/', {
        body: { purpose: 'login', mailbox: 'han@example.edu' },
      })
    const enter = async (code: string) => {
      const fields = { loginType: 'captcha', username: 'han@example.edu', code }
      return codeOf(await browser.post('/fwk_cas_service/login', fields, { accept: 'application/json' }))
    }
    await ask()
    const code = await codeSentTo(server, 'han@example.edu')
    await appoint(root, { userId, organizationId: organizationId('art') })
    expect(await enter(code)).toBe('sign-in.code-refused')
    expect(isIn(browser)).toBe(false)
    server.advance(120)
    await ask()
    await enter(await codeSentTo(server, 'han@example.edu', 2))
    expect(isIn(browser)).toBe(true)
  },
)

/** A person with an authenticator app, in a trusted browser. */
async function trusting(server: TestServer) {
  await setPolicy(server, { secondFactorCategories: [] })
  const userId = await addPerson(server, { account: 'han' })
  const setUp = await enterPortal(server, 'han')
  await reauthenticate(setUp)
  const app = await setUpApp(server, setUp)
  const browser = createBrowser(server)
  await submitPassword(browser, 'han')
  await submitSecondFactor(browser, { code: totpCode(server, app.secret), trust: true })
  return { userId, browser }
}

test.each(APPOINTMENTS)('a previously trusted browser replaces no factor of %s', async (_, appoint) => {
  const { server, organizationId, root } = await institution()
  const { userId, browser } = await trusting(server)
  expect((await submitPassword(browser, 'han')).status).toBe(200)
  const page = await enterPortal(server, 'han', PASSWORD, browser)
  expect((await page.call('/consents/')).status).toBe(200)
  await appoint(root, { userId, organizationId: organizationId('art') })
  // Also where it has already replaced one.
  expect((await page.call('/consents/')).envelope.code).toBe('session.second-factor-required')
  expect(codeOf(await submitPassword(browser, 'han'))).toBe('sign-in.second-factor-required')
})

test('a new super user loses accounts linked only by a provider’s word, unless there is no other login method', async () => {
  const { server, root } = await institution()
  await setPolicy(server, { secondFactorSuperUsers: false })
  const campus = await addCampusId(server, { matchBy: ['phone'] })
  campus.person = { phone_number_verified: true }
  const comesIn = async (user: string) => {
    const browser = createBrowser(server)
    await logInBy(server, browser, { user })
    return isIn(browser)
  }
  const han = await addPerson(server, { account: 'han', phone: '13800000002' })
  const ma = await addPerson(server, { account: 'ma', phone: '13800000003' })
  await server.platform.sql`delete from passwords where user_id = ${ma}`
  expect([await comesIn('30000002'), await comesIn('30000003')]).toEqual([true, true])
  for (const userId of [han, ma]) await verb(root, userId, 'set_administrator')
  expect([await comesIn('30000002'), await comesIn('30000003')]).toEqual([false, true])
})

test('an added permission, or renewing an expired appointment, counts as a new one; fewer or a longer term do not', async () => {
  const { server, organizationId, root } = await institution()
  await setPolicy(server, { secondFactorSuperUsers: false })
  const userId = await addPerson(server, { account: 'han' })
  const inDays = (days: number) => new Date(server.platform.now().getTime() + days * DAY).toISOString()
  const who = { userId, organizationId: organizationId('art') }
  const { id, version } = await appointed(root, who, { permissions: ['edit', 'unlock'], validUntil: inDays(0.1) })
  const page = await enterPortal(server, 'han')
  let present = version
  const change = async (permissions: string[]) => {
    const body = { version: present, permissions, validFrom: null, validUntil: inDays(0.1) }
    const { data } = await root.call<Administrator>(`/administrator_manage/${id}/update/`, { body })
    present = data.version
  }
  const renew = (validUntil: string) => root.call('/administrator_manage/renew/', { body: { ids: [id], validUntil } })
  const staysFresh = async (work: () => Promise<unknown>) => {
    await reauthenticate(page)
    await work()
    return await identityIsFresh(page)
  }
  expect(await staysFresh(() => change(['edit']))).toBe(true)
  expect(await staysFresh(() => change(['edit', 'reset']))).toBe(false)
  expect(await staysFresh(() => renew(inDays(0.1)))).toBe(true)
  server.advance(3 * 3600)
  const later = await openPortal(server, { userId })
  const chief = await openPortal(server, { isSuperUser: true })
  await reauthenticate(later)
  await chief.call('/administrator_manage/renew/', { body: { ids: [id], validUntil: inDays(1) } })
  expect(await identityIsFresh(later)).toBe(false)
})
