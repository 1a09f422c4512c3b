import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { addCasApplication, addPerson, logIn, PASSWORD } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { addClient, authorize } from '../../testing/relying-party.ts'
import {
  codeOf,
  reauthenticate,
  setUpApp,
  submitPassword,
  submitSecondFactor,
  totpCode,
} from '../../testing/second-factors.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { BEHIND_PROXY, enterPortal, setPolicy } from '../../testing/sign-in.ts'

const NO_RULES: Partial<SignInPolicy> = {
  secondFactorSuperUsers: false,
  secondFactorOffCampus: false,
  secondFactorCategories: [],
  secondFactorApplications: [],
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(BEHIND_PROXY)
  await addCasApplication(server, { appId: 'library' })
  await addCasApplication(server, { appId: 'payroll' })
  await server.platform.sql`
    insert into user_categories (id, code, name) values (gen_random_uuid(), 'staff', 'Staff'), (gen_random_uuid(), 'student', 'Student')`
  await server.platform.sql`
    insert into ip_ranges (id, name, kind, networks, updated_at) values (gen_random_uuid(), 'campus', 'campus', '{10.0.0.0/8}', now())`
})
afterAll(() => server.close())
afterEach(() => setPolicy(server, NO_RULES))

let count = 0
const person = async (facts: { isSuperUser?: boolean; category?: string } = {}) => {
  const account = `person-${++count}`
  return { account, userId: await addPerson(server, { account, ...facts }) }
}
/** A person with an authenticator app. */
const withApp = async (facts: { isSuperUser?: boolean; category?: string } = {}) => {
  await setPolicy(server, NO_RULES)
  const { account, userId } = await person(facts)
  const page = await enterPortal(server, account)
  await reauthenticate(page)
  return { account, userId, app: await setUpApp(server, page), page }
}

/** As if this person's sessions had been opened without a second factor. */
const forgetFactor = (account: string) => server.platform.sql`
  update sso_sessions set second_factor = null, second_factor_at = null
  where user_id = (select id from users where account = ${account})`

const LIBRARY = 'https://library.test/'
const PAYROLL = 'https://payroll.test/'
const hop = (browser: Browser, service: string, from?: string) =>
  browser.get(`/fwk_cas_service/login?${new URLSearchParams({ service })}`, from ? { 'x-forwarded-for': from } : {})
const SET_UP = '/auth_web/second-factor?service='

describe('a rule for super users, which is on by default', () => {
  test('leads one without a factor to setting one up, and nowhere else', async () => {
    await setPolicy(server, { secondFactorSuperUsers: true })
    const { account } = await person({ isSuperUser: true })
    const browser = createBrowser(server)
    const first = await submitPassword(browser, account, { service: LIBRARY })
    expect(first.status).toBe(200)
    expect(first.json<{ data: { redirectUrl: string } }>().data.redirectUrl).toContain(SET_UP)
    expect((await hop(browser, LIBRARY)).location).toContain(SET_UP)
    const page = await enterPortal(server, account)
    expect(page.user.secondFactorDue).toBe('1')
    for (const path of ['/current_login_manage/query/', `/user_information/${page.user.userId}/app/`]) {
      expect((await page.call(path)).envelope).toMatchObject({ state: 403, code: 'session.second-factor-required' })
    }
    const changed = await page.call(`/user_information/${page.user.userId}/update_password/`, {
      body: { oldPassword: PASSWORD, newPassword: 'Quiet-lake-7731' },
    })
    expect(changed.envelope.code).toBe('session.second-factor-required')
    await setUpApp(server, page)
    expect((await page.call('/current_login_manage/query/')).status).toBe(200)
    expect((await hop(page.browser, LIBRARY)).location).toMatch(/ticket=ST-/)
  })

  test('asks one with a factor for it before there is a session, and ordinary people for nothing', async () => {
    const { account, app } = await withApp({ isSuperUser: true })
    await setPolicy(server, { secondFactorSuperUsers: true })
    const browser = createBrowser(server)
    expect(codeOf(await submitPassword(browser, account))).toBe('sign-in.second-factor-required')
    expect((await submitSecondFactor(browser, { code: totpCode(server, app.secret) })).status).toBe(200)
    const other = await person()
    expect((await submitPassword(createBrowser(server), other.account)).status).toBe(200)
  })

  test('closes sessions that were open before it, until the factor is proved', async () => {
    const { userId, app } = await withApp({ isSuperUser: true })
    const page = await openPortal(server, { userId, lacksFactor: true })
    expect((await page.call('/current_login_manage/query/')).status).toBe(200)
    await setPolicy(server, { secondFactorSuperUsers: true })
    expect((await page.call('/current_login_manage/query/')).envelope.code).toBe('session.second-factor-required')
    // Otherwise setting up another app would bypass the first one.
    for (const path of ['/second_factor/totp/start/', '/passkey/options/']) {
      expect((await page.call(path, { body: {} })).envelope.code).toBe('session.second-factor-required')
    }
    expect(app.secret).not.toBe('')
  })

  test('does not let an old login set a factor up: whoever found the session open would', async () => {
    await setPolicy(server, { secondFactorSuperUsers: true })
    const { account } = await person({ isSuperUser: true })
    const page = await enterPortal(server, account)
    server.advance(11 * 60)
    expect((await page.call('/second_factor/totp/start/', { body: {} })).envelope.code).toBe(
      'second-factor.log-in-again',
    )
  })

  test('comes after the first password: one thing at a time', async () => {
    await setPolicy(server, { secondFactorSuperUsers: true })
    const account = `newcomer-${++count}`
    await addPerson(server, { account, isSuperUser: true, mustChangePassword: true })
    const page = await enterPortal(server, account)
    expect(page.user).toMatchObject({ firstLogin: '1', secondFactorDue: '1' })
    expect((await page.call('/second_factor/totp/start/', { body: {} })).envelope.code).toBe('session.limited')
    const { data } = await page.call<{ token: string }>(`/user_information/${page.user.userId}/update_password/`, {
      body: { newPassword: 'Quiet-lake-7731' },
    })
    expect((await page.call('/second_factor/totp/start/', { body: {}, token: data.token })).status).toBe(200)
  })
})

describe('a rule for a category', () => {
  test('asks its people and nobody else', async () => {
    await setPolicy(server, { secondFactorCategories: ['staff'] })
    const staff = await person({ category: 'staff' })
    const student = await person({ category: 'student' })
    const [one, other] = [await logIn(server, staff.account), await logIn(server, student.account)]
    expect((await hop(one, LIBRARY)).location).toContain(SET_UP)
    expect((await hop(other, LIBRARY)).location).toMatch(/ticket=ST-/)
  })
})

describe('a rule for an application', () => {
  test('asks a session for the factor at that application, once', async () => {
    const { account, app } = await withApp()
    await setPolicy(server, { secondFactorApplications: ['payroll'] })
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    await submitSecondFactor(browser, { code: totpCode(server, app.secret) })
    await forgetFactor(account)
    server.advance(60)
    expect((await hop(browser, LIBRARY)).location).toMatch(/ticket=ST-/)
    const asked = await hop(browser, PAYROLL)
    expect([asked.status, asked.location]).toEqual([200, ''])
    expect(asked.text).toContain('Two-step verification')
    const script = await browser.get(`/fwk_cas_service/login?${new URLSearchParams({ service: PAYROLL })}`, {
      accept: 'application/json',
    })
    expect([script.status, codeOf(script)]).toEqual([403, 'session.second-factor-missing'])
    expect(codeOf(await submitSecondFactor(browser, { code: '000000' }, { service: PAYROLL }))).toBe(
      'sign-in.second-factor-wrong',
    )
    const passed = await submitSecondFactor(browser, { code: totpCode(server, app.secret) }, { service: PAYROLL })
    expect(passed.json<{ data: { redirectUrl: string } }>().data.redirectUrl).toMatch(/^https:\/\/payroll.*ticket=ST-/)
    expect((await hop(browser, PAYROLL)).location).toMatch(/ticket=ST-/)
  })

  test('a gateway request comes back without a ticket, and an issued one is refused once the rule is on', async () => {
    const { account } = await person()
    const browser = await logIn(server, account)
    const { location } = await hop(browser, PAYROLL)
    await setPolicy(server, { secondFactorApplications: ['payroll'] })
    const ticket = new URL(location).searchParams.get('ticket') ?? ''
    const validated = await browser.get(
      `/fwk_cas_service/serviceValidate?${new URLSearchParams({ service: PAYROLL, ticket })}`,
    )
    expect(validated.text).toContain('INVALID_TICKET')
    const silent = await browser.get(
      `/fwk_cas_service/login?${new URLSearchParams({ service: PAYROLL, gateway: 'true' })}`,
    )
    expect(silent.location).toBe(PAYROLL)
  })

  test('leads somebody without any factor to setting one up, and back', async () => {
    await setPolicy(server, { secondFactorApplications: ['payroll'] })
    const { account } = await person()
    const browser = await logIn(server, account)
    expect((await hop(browser, PAYROLL)).location).toBe(`${server.url}${SET_UP}${encodeURIComponent(PAYROLL)}`)
    expect((await hop(browser, LIBRARY)).location).toMatch(/ticket=ST-/)
  })

  test('of OpenID asks before a code is issued, and tells a silent request that a login is needed', async () => {
    const { account, app } = await withApp()
    const client = await addClient(server, { appId: 'lms' })
    const browser = createBrowser(server)
    await submitPassword(browser, account)
    await submitSecondFactor(browser, { code: totpCode(server, app.secret) })
    await forgetFactor(account)
    server.advance(60)
    await setPolicy(server, { secondFactorApplications: ['lms'] })
    const silent = await authorize(browser, client, { prompt: 'none' })
    expect(new URL(silent.location).searchParams.get('error')).toBe('login_required')
    const asked = await authorize(browser, client)
    expect(asked.location).toContain('/fwk_cas_service/login?service=')
    const page = await browser.get(asked.location)
    expect(page.text).toContain('Two-step verification')
    const service = new URL(asked.location).searchParams.get('service') ?? ''
    const passed = await submitSecondFactor(browser, { code: totpCode(server, app.secret) }, { service })
    const onward = await browser.get(passed.json<{ data: { redirectUrl: string } }>().data.redirectUrl)
    expect(new URL(onward.location).searchParams.get('code')).not.toBeNull()
  })
})

describe('a rule for off campus', () => {
  const CAMPUS = '10.1.2.3'
  const OUTSIDE = '203.0.113.9'

  test('lets a session in on campus, and asks it outside; an application’s server is nowhere', async () => {
    const { account, app } = await withApp()
    await server.platform
      .sql`update second_factors set totp_secret = null where user_id = (select id from users where account = ${account})`
    const browser = createBrowser(server)
    const from = (address: string) => ({ accept: 'application/json', 'x-forwarded-for': address })
    const form = { username: account, password: PASSWORD }
    expect((await browser.post('/fwk_cas_service/login', form, from(CAMPUS))).status).toBe(200)
    await setPolicy(server, { secondFactorOffCampus: true })
    const inside = await hop(browser, LIBRARY, CAMPUS)
    expect(inside.location).toMatch(/ticket=ST-/)
    const ticket = new URL(inside.location).searchParams.get('ticket') ?? ''
    const query = new URLSearchParams({ service: LIBRARY, ticket })
    const validated = await browser.get(`/fwk_cas_service/serviceValidate?${query}`, { 'x-forwarded-for': OUTSIDE })
    expect(validated.text).toContain('authenticationSuccess')
    expect((await hop(browser, LIBRARY, OUTSIDE)).location).toContain(SET_UP)
    expect(app.secret).not.toBe('')
  })
})
