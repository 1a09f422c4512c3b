import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ProfileCompletion } from '#shared/contract/profile.ts'
import { mergeSettings } from '../../platform/settings.ts'
import { type Browser, createBrowser } from '../../testing/browser.ts'
import { openService, ticketFor, ticketTraces, validateP3 } from '../../testing/cas.ts'
import { codeSentTo } from '../../testing/messages.ts'
import { addCasApplication, addPerson, logIn, PASSWORD, postLogin } from '../../testing/people.ts'
import type { Reply } from '../../testing/portal.ts'
import {
  addClient,
  authorize,
  type Client,
  OIDC,
  obtainTokens,
  returned,
  userinfo,
} from '../../testing/relying-party.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { attempt, type Entered, enterPortal, setFieldRules, setPolicy } from '../../testing/sign-in.ts'
import { switchPoliciesOff } from '../policy-switch/index.ts'

const SHOP = 'https://shop.test/'

let server: TestServer
let client: Client
let people = 0
let sent: string[] = []

beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' }, onStatement: (text) => sent.push(text) })
  await setPolicy(server, { secondFactorSuperUsers: false, addressFailures: 100_000 })
  await addCasApplication(server, { appId: 'shop' })
  client = await addClient(server, { appId: 'lms' })
})
afterAll(() => server.close())
afterEach(async () => {
  await server.platform.sql`delete from settings where name in ('accountFields', 'access')`
  await server.platform.cache.invalidate(server.platform.sql, 'settings')
})

const nobodyYet = () => `plain-${++people}`

async function newPerson(person: object = {}): Promise<string> {
  const account = nobodyYet()
  await addPerson(server, { account, ...person })
  return account
}

const look = async (page: Entered) => (await page.call<ProfileCompletion>('/profile_completion/details/')).data
const save = (page: Entered, body: object) => page.call<ProfileCompletion>('/profile_completion/save/', { body })
const own = (page: Entered, call: string, body: object) =>
  page.call(`/user_information/${page.user.userId}/${call}`, { body })
const outcome = ({ status, envelope }: Reply) => [status, envelope.code]
const CLOSED = [403, 'session.profile-incomplete']
const toCompletion = (service: string) =>
  `${server.url}/auth_web/complete-profile?service=${encodeURIComponent(service)}`

test('a person who lacks a required field gets a session that can complete the profile, and nothing else', async () => {
  await setFieldRules(server, { 'gender.required': 'next-login', 'birthday.required': 'always' })
  const account = await newPerson({ gender: 'female', nickname: 'Mei' })
  const page = await enterPortal(server, account)
  expect(page.user).toMatchObject({ firstLogin: '0', secondFactorDue: '0', profileDue: '1' })
  const { userId } = page.user
  const { version } = await look(page)
  const refused = [
    page.call(`/user_information/${userId}/details/`),
    page.call(`/user_information/${userId}/app/`),
    page.call('/certification_record/current_login/'),
    page.call('/second_factor/query/'),
    own(page, 'user_nick/', { nick: 'Else', version }),
    own(page, 'unbind/', { kind: 'alias' }),
    own(page, 'update_password/', { oldPassword: PASSWORD, newPassword: 'Quiet-lake-7731' }),
    own(page, 'bind_alias/', { alias: 'mei.mei' }).then(async (first) => {
      expect(first.status).toBe(200)
      return await own(page, 'bind_alias/', { alias: 'mei.other' })
    }),
  ]
  for (const answer of await Promise.all(refused)) expect(outcome(answer)).toEqual(CLOSED)
  expect((await page.call('/login/activity/', { body: {} })).status).toBe(200)
  expect((await look(page)).missing).toEqual([{ field: 'birthday', expected: null }])
})

test('no path into an application bypasses it, and each continues once the profile is complete', async () => {
  await setFieldRules(server, { 'gender.required': 'next-login' })
  const account = await newPerson()
  const traces = await ticketTraces(server)
  const browser = createBrowser(server)
  expect((await postLogin(browser, { username: account }, { service: SHOP })).location).toBe(toCompletion(SHOP))
  expect((await openService(browser, SHOP)).location).toBe(toCompletion(SHOP))
  expect((await openService(browser, SHOP, { gateway: 'true' })).location).toBe(SHOP)
  expect((await openService(browser, SHOP, { renew: 'true' })).location).toContain('/auth_web/login?')
  const { data } = await attempt(server, account)
  expect(data).toMatchObject({ redirectUrl: expect.stringContaining('/auth_web/complete-profile') })
  const asked = await authorize(browser, client)
  expect(asked.location).toContain('/auth_web/complete-profile?service=')
  expect(returned(await authorize(browser, client, { prompt: 'none' }))['error']).toBe('login_required')
  const device = `${OIDC}/device?user_code=ABCD`
  expect((await browser.get(device)).location).toBe(toCompletion(server.url + device))
  await setPolicy(server, { restTicketAddresses: ['127.0.0.0/8'] })
  const rest = await createBrowser(server).post('/fwk_cas_service/v1/tickets', {
    username: account,
    password: PASSWORD,
  })
  expect(rest.status).toBe(403)
  expect(await ticketTraces(server)).toBe(traces)

  const page = await enterPortal(server, account, PASSWORD, browser)
  expect((await save(page, { gender: 'male' })).data.missing).toEqual([])
  expect((await page.call(`/user_information/${page.user.userId}/app/`)).status).toBe(200)
  const ticket = await ticketFor(browser, SHOP)
  expect((await validateP3(server, SHOP, ticket)).user).toBe(account)
  const again = await browser.get(new URL(asked.location).searchParams.get('service') ?? '')
  expect(returned(again)).toHaveProperty('code')
})

test('the input is validated field by field, recorded, and rejected with its expected format', async () => {
  const format = { pattern: 'S\\d+', minLength: 3, maxLength: 9 }
  await setFieldRules(server, {
    'nickname.required': 'always',
    'gender.required': 'next-login',
    'birthday.required': 'next-login',
    'idNumber.required': 'next-login',
    'idNumber.editableBy': 'self',
    'idNumber.format': format,
  })
  const page = await enterPortal(server, await newPerson())
  expect((await look(page)).missing).toEqual([
    { field: 'nickname', expected: null },
    { field: 'gender', expected: null },
    { field: 'birthday', expected: null },
    { field: 'idNumber', expected: '3 to 9 characters, in the format your institution requires' },
  ])
  const good = { nickname: ' Mei ', gender: 'female', birthday: '2004-02-29', idNumber: 's 123' }
  const bad: [object, string, string][] = [
    [{ nickname: ' ' }, 'profile.bad-nickname', 'nickname'],
    [{ birthday: '2003-02-29' }, 'profile.bad-birthday', 'birthday'],
    [{ idNumber: '-' }, 'profile.bad-id-number', 'idNumber'],
    [{ idNumber: 'X123' }, 'account-field.format', 'idNumber'],
  ]
  for (const [wrong, code, field] of bad) {
    const refused = await save(page, { ...good, ...wrong })
    expect(refused).toMatchObject({ status: 422, envelope: { code }, data: { fields: [field] } })
  }
  expect((await save(page, { ...good, gender: 'unknown' })).status).toBe(400)
  expect((await look(page)).missing).toHaveLength(4)
  expect((await save(page, good)).data).toMatchObject({ nick: 'Mei', missing: [], leftToOthers: [] })
  const [person] = await server.platform.sql`
    select gender, birthday::text, id_number from users where id = ${page.user.userId}`
  expect(person).toMatchObject({ gender: 'female', birthday: '2004-02-29' })
  expect(server.platform.secrets.open(person?.['idNumber'])).toBe('S123')
  const lines = await server.platform.sql`
    select action, after from audit_records where target_id = ${page.user.userId} and action like '%.change' order by at, id`
  expect(lines.map((line) => ({ ...line }))).toEqual([
    { action: 'nickname.change', after: { nickname: 'Mei' } },
    { action: 'gender.change', after: { gender: 'female' } },
    { action: 'birthday.change', after: { birthday: '2004-**-**' } },
    { action: 'id-number.change', after: null },
  ])
})

async function sendCode(page: Entered, phone: string): Promise<string> {
  const answer = await own(page, 'send_phonecaptcha/', { purpose: 'bind-phone', phone })
  expect(answer.envelope).toMatchObject({ state: 200 })
  return await codeSentTo(server, `+86${phone}`)
}

test('a phone is bound by its code shortly after the login; later reauthentication is required first', async () => {
  await setFieldRules(server, { 'phone.required': 'next-login', 'mailbox.required': 'next-login' })
  const page = await enterPortal(server, await newPerson())
  const code = await sendCode(page, '13900001111')
  expect((await own(page, 'bind_phone/', { phone: '13900001111', code })).status).toBe(200)
  expect((await look(page)).missing.map(({ field }) => field)).toEqual(['mailbox'])
  // Whoever only completes a profile can't change what is bound already.
  const other = await sendCode(page, '13900002222')
  expect(outcome(await own(page, 'bind_phone/', { phone: '13900002222', code: other }))).toEqual(CLOSED)

  const late = await enterPortal(server, await newPerson({ mailbox: 'late@example.edu' }))
  server.advance(11 * 60)
  const third = await sendCode(late, '13900003333')
  const bind = () => own(late, 'bind_phone/', { phone: '13900003333', code: third })
  expect(outcome(await bind())).toEqual([409, 'reauthentication.required'])
  expect(
    (await late.call('/reauthentication/submit/', { body: { method: 'password', answer: PASSWORD } })).status,
  ).toBe(200)
  expect((await bind()).status).toBe(200)
  expect((await late.call(`/user_information/${late.user.userId}/app/`)).status).toBe(200)
})

test('what somebody else must fill in is shown and blocks nobody', async () => {
  await setFieldRules(server, {
    'gender.required': 'next-login',
    'idNumber.required': 'always',
    'birthday.required': 'next-login',
    'birthday.editableBy': 'source',
    'alias.required': 'always',
    'alias.editableBy': 'nobody',
  })
  const page = await enterPortal(server, await newPerson())
  expect(await look(page)).toMatchObject({
    missing: [{ field: 'gender', expected: null }],
    leftToOthers: ['alias', 'birthday', 'idNumber'],
  })
  // Nor by requesting it.
  expect((await save(page, { birthday: '2004-02-29', idNumber: 'S1' })).data.leftToOthers).toContain('idNumber')
  await save(page, { gender: 'male' })
  expect((await page.call(`/user_information/${page.user.userId}/app/`)).status).toBe(200)
  expect((await enterPortal(server, await newPerson({ gender: 'male' }))).user.profileDue).toBe('0')
})

test('a rule applies at the next login: earlier sessions and tokens continue, and disabling it lets everybody continue', async () => {
  const account = await newPerson()
  const before = await logIn(server, account)
  const tokens = await obtainTokens(before, client)
  await setFieldRules(server, { 'nickname.required': 'next-login' })
  await ticketFor(before, SHOP)
  expect((await userinfo(server, tokens.access_token)).status).toBe(200)
  const page = await enterPortal(server, account)
  expect(outcome(await page.call('/certification_record/current_login/'))).toEqual(CLOSED)
  await setFieldRules(server, { 'nickname.required': 'never' })
  expect((await look(page)).missing).toEqual([])
  expect((await save(page, { nickname: 'Late' })).data.nick).toBeNull()
  expect((await page.call('/certification_record/current_login/')).status).toBe(200)
  await ticketFor(page.browser, SHOP)
})

test('of two windows the second continues with what the first has saved', async () => {
  await setFieldRules(server, { 'nickname.required': 'next-login', 'gender.required': 'next-login' })
  const page = await enterPortal(server, await newPerson())
  const names = Array.from({ length: 8 }, (_, index) => `n${index}`)
  const answers = await Promise.all(names.map((nickname) => save(page, { nickname, gender: 'male' })))
  expect(new Set(answers.map(({ status, data }) => `${status} ${data.nick} ${data.missing.length}`)).size).toBe(1)
  const lines = await server.platform.sql`
    select from audit_records where target_id = ${page.user.userId} and action = 'nickname.change'`
  expect(lines).toHaveLength(1)
})

test('where no codes can be sent nobody is asked for what only a code can bind', async () => {
  const mute = await testServer()
  await setFieldRules(mute, { 'phone.required': 'always', 'mailbox.required': 'always', 'alias.required': 'always' })
  await addPerson(mute, { account: 'mute' })
  const page = await enterPortal(mute, 'mute')
  expect((await page.call<ProfileCompletion>('/profile_completion/details/')).data).toMatchObject({
    missing: [{ field: 'alias' }],
    leftToOthers: ['phone', 'mailbox'],
  })
})

test('super users complete theirs like everybody; the operator’s last resort suspends the rules', async () => {
  await setFieldRules(server, { 'gender.required': 'always' })
  const account = await newPerson({ isSuperUser: true })
  const page = await enterPortal(server, account)
  expect(outcome(await page.call('/account_field_rules/details/'))).toEqual(CLOSED)
  const { platform } = server
  const client = { requestId: 'test', ip: '127.0.0.1', userAgent: '', language: 'en' } as const
  await switchPoliciesOff({ ...platform, db: platform.sql, caller: null, client })
  expect((await page.call('/account_field_rules/details/')).status).toBe(200)
  await mergeSettings({ ...platform, db: platform.sql }, 'access', { suspended: false })
  await save(page, { gender: 'female' })
  expect((await page.call('/account_field_rules/details/')).status).toBe(200)
})

test('an initial password comes before it, and a hop with a complete profile is still one statement', async () => {
  await setFieldRules(server, { 'gender.required': 'next-login', 'nickname.required': 'next-login' })
  const account = await newPerson({ mustChangePassword: true })
  const page = await enterPortal(server, account)
  expect(page.user).toMatchObject({ firstLogin: '1', profileDue: '1' })
  expect(outcome(await save(page, { gender: 'male' }))).toEqual([403, 'session.limited'])
  const changed = await page.call<{ token: string }>(`/user_information/${page.user.userId}/update_password/`, {
    body: { newPassword: 'Quiet-lake-7731' },
  })
  const { token } = changed.data
  expect(outcome(await page.call('/certification_record/current_login/', { token }))).toEqual(CLOSED)
  const body = { gender: 'male', nickname: 'New' }
  expect((await page.call('/profile_completion/save/', { body, token })).status).toBe(200)
  expect(await statementsOfHop(page.browser)).toHaveLength(1)
})

async function statementsOfHop(browser: Browser): Promise<string[]> {
  sent = []
  await ticketFor(browser, SHOP)
  return sent.filter((text) => /sso_sessions|session_services|visit_records|users/.test(text))
}
