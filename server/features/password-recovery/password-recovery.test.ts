import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemContext } from '../../platform/platform.ts'
import { mergeSettings } from '../../platform/settings.ts'
import { createBrowser } from '../../testing/browser.ts'
import { codeSentTo, messagesTo, outboxOf } from '../../testing/messages.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { callAs } from '../../testing/portal.ts'
import { NEW_PASSWORD, recoveryIn, UPDATE } from '../../testing/recovery.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { attempt, enterPortal, setPolicy } from '../../testing/sign-in.ts'
import { hashAnswers, saveAnswers } from '../security-questions/index.ts'

const DEMO = { env: { DEMO: '1' } }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(DEMO)
  await setPolicy(server, { addressFailures: 100_000 })
})
afterAll(() => server.close())

const ANSWERS = [
  { question: 'first-school', answer: 'Red Hill' },
  { question: 'first-pet', answer: '小白' },
  { question: 'birth-town', answer: '成都' },
]
const WRONG = ANSWERS.map((given, at) => (at === 2 ? { ...given, answer: '重庆' } : given))

let made = 0
async function somebody(extra: object = {}, on = server) {
  made += 1
  const account = `holder-${made}`
  const phone = `+86136${String(made).padStart(8, '0')}`
  const mailbox = `holder-${made}@example.edu`
  const userId = await addPerson(on, { account, phone, mailbox, ...extra })
  return { userId, account, phone, mailbox }
}

async function withAnswers(extra: object = {}, on = server) {
  const person = await somebody(extra, on)
  const ctx = systemContext(on.platform)
  await saveAnswers(ctx, person.userId, await hashAnswers(ctx, ANSWERS))
  return person
}

const settings = (changes: object, on = server) =>
  mergeSettings({ ...on.platform, db: on.platform.sql }, 'passwordRecovery', changes)

test.each(['phone', 'mailbox'] as const)(
  'a code to the %s sets a new password: the old one and every login end, the other channel and the records are notified',
  async (method) => {
    const person = await somebody()
    const elsewhere = await enterPortal(server, person.account)
    const page = recoveryIn(server)
    const { id, proof } = await page.proved(person.account, method, person[method])
    const done = await page.set(id, method, proof)
    expect(done).toMatchObject({ status: 200, data: { ended: 1 } })
    expect((await elsewhere.call('/login/current/')).status).not.toBe(200)
    expect(await attempt(server, person.account, PASSWORD)).toMatchObject({ status: 401 })
    expect(await attempt(server, person.account, NEW_PASSWORD)).toMatchObject({ status: 200 })
    const other = method === 'phone' ? person.mailbox : person.phone
    expect((await messagesTo(server, other))[0]?.text).toContain('password')
    expect(await messagesTo(server, person[method])).toHaveLength(1)
    const audit = await server.platform.sql`
      select actor, after from audit_records where action = 'password.recover' and target_id = ${person.userId}`
    expect(audit).toMatchObject([{ actor: person.userId, after: { method } }])
  },
)

test('a person with only one of both is notified there', async () => {
  const person = await somebody({ mailbox: undefined })
  const page = recoveryIn(server)
  const { id, proof } = await page.proved(person.account, 'phone', person.phone)
  await page.set(id, 'phone', proof)
  expect(await messagesTo(server, person.phone, 2)).toHaveLength(2)
})

test('any login name starts a recovery, and a name matches however its parts are encoded', async () => {
  const { account, phone, mailbox } = await somebody({ name: '阿卜杜拉·买买提', alias: 'abdul' })
  const hints: string[] = []
  for (const [typed, name] of [
    [account.toUpperCase(), '阿卜杜拉·买买提'],
    ['abdul', '阿卜杜拉•买买提'],
    [phone, ' 阿卜杜拉 买买提 '],
    [mailbox, '阿卜杜拉买买提'],
  ] as const) {
    hints.push(JSON.stringify((await recoveryIn(server).begin(typed, name)).data.methods))
  }
  expect(new Set(hints).size).toBe(1)
  expect(hints[0]).toContain(`${phone.slice(3, 6)}****${phone.slice(-4)}`)
  expect(hints[0]).toContain('h***@example.edu')
})

test('recovery by questions: three right answers, then a code, then the password', async () => {
  const person = await withAnswers()
  const page = recoveryIn(server)
  const { data } = await page.begin(person.account)
  expect(data).toMatchObject({
    methods: [{ method: 'phone' }, { method: 'mailbox' }, { method: 'questions', hint: '' }],
    questionsNeedCode: true,
  })
  expect(data.questions.map(({ code }) => code)).toEqual(ANSWERS.map(({ question }) => question))
  const wrong = await page.byQuestions(data.id, WRONG)
  expect(wrong.envelope.code).toBe('security-questions.wrong')
  const answered = await page.byQuestions(data.id, ANSWERS)
  expect(answered.data).toMatchObject({ next: 'code' })
  expect((await page.set(data.id, 'questions', answered.data.proof)).envelope.code).toBe('password-recovery.expired')
  await page.send(data.id, 'mailbox')
  const code = await codeSentTo(server, person.mailbox)
  const proved = await page.byCode(data.id, 'mailbox', code, answered.data.proof)
  expect(proved.data).toMatchObject({ next: 'password' })
  expect((await page.set(data.id, 'mailbox', proved.data.proof)).envelope.code).toBe('password-recovery.expired')
  expect((await page.set(data.id, 'questions', proved.data.proof)).status).toBe(200)
  expect(await attempt(server, person.account, NEW_PASSWORD)).toMatchObject({ status: 200 })
})

test('answers alone suffice for a person without contacts, or if the institution allows it; or the method is off', async () => {
  const bare = await withAnswers({ phone: undefined, mailbox: undefined })
  const page = recoveryIn(server)
  const begun = (await page.begin(bare.account)).data
  expect(begun).toMatchObject({ methods: [{ method: 'questions' }], questionsNeedCode: false })
  const { proof } = (await page.byQuestions(begun.id, ANSWERS)).data
  expect((await page.set(begun.id, 'questions', proof)).status).toBe(200)

  const person = await withAnswers()
  await settings({ questions: 'alone' })
  const alone = recoveryIn(server)
  const { id, questionsNeedCode } = (await alone.begin(person.account)).data
  expect(questionsNeedCode).toBe(false)
  expect((await alone.byQuestions(id, ANSWERS)).data.next).toBe('password')

  await settings({ questions: 'off' })
  const off = recoveryIn(server)
  const without = (await off.begin(person.account)).data
  expect(without.methods.map(({ method }) => method)).toEqual(['phone', 'mailbox'])
  expect((await off.byQuestions(without.id, ANSWERS)).envelope.code).toBe('password-recovery.method-unavailable')
  await settings({ questions: 'with-code' })
})

test('fewer answers than required prove nothing, so the method is not offered', async () => {
  const person = await somebody({ securityQuestions: ANSWERS.slice(0, 1) })
  const { methods } = (await recoveryIn(server).begin(person.account)).data
  expect(methods.map(({ method }) => method)).toEqual(['phone', 'mailbox'])
})

test('a code that can not be sent is no reason to skip it', async () => {
  const silent = await testServer()
  const person = await withAnswers({}, silent)
  expect((await recoveryIn(silent).begin(person.account)).data.methods).toEqual([])
})

test('a weak, a former and a common password are rejected with the reason, and the proof stays valid', async () => {
  const person = await somebody()
  const page = recoveryIn(server)
  const { id, proof } = await page.proved(person.account, 'phone', person.phone)
  for (const weak of ['short-1', PASSWORD, 'Password123!', `Lake-${person.account}-1`]) {
    expect((await page.set(id, 'phone', proof, weak)).envelope.code, weak).toBe('password.too-weak')
  }
  expect((await page.set(id, 'phone', proof)).status).toBe(200)
})

test.each([
  ['locked by an administrator', { locked_at: new Date(0) }, 'sign-in.locked'],
  ['frozen', { frozen_from: new Date(0) }, 'sign-in.frozen'],
  ['disabled', { enabled: false }, 'sign-in.disabled'],
] as const)(
  'a new password does not lift it: an account that is %s stays so, and nobody is logged in',
  async (_, facts, code) => {
    const person = await somebody()
    await server.platform.sql`update users set ${server.platform.sql(facts)} where id = ${person.userId}`
    const page = recoveryIn(server)
    const { id, proof } = await page.proved(person.account, 'phone', person.phone)
    expect((await page.set(id, 'phone', proof)).status).toBe(200)
    expect(page.browser.cookie('CASTGC')).toBeUndefined()
    expect(page.browser.cookie('gatehouse_portal')).toBeUndefined()
    expect(await attempt(server, person.account, NEW_PASSWORD)).toMatchObject({ status: 403, code })
  },
)

test('a lock-out by wrong passwords outlasts the recovery', async () => {
  await setPolicy(server, { captchaAfterFailures: 1000 })
  const person = await somebody()
  for (let i = 0; i < 5; i += 1) await attempt(server, person.account, 'wrong')
  const page = recoveryIn(server)
  const { id, proof } = await page.proved(person.account, 'phone', person.phone)
  await page.set(id, 'phone', proof)
  expect(await attempt(server, person.account, NEW_PASSWORD)).toMatchObject({ status: 401 })
  await setPolicy(server, { captchaAfterFailures: 3 })
})

test('a poisoned Host header has no effect: no message contains another address', async () => {
  const person = await somebody()
  const page = recoveryIn(server)
  const { id } = (await page.begin(person.account)).data
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  const body = { purpose: 'recovery' }
  await callAs(server, page.browser, `/user_information/${id}/send_email/`, { body, headers })
  const proved = await page.byCode(id, 'mailbox', await codeSentTo(server, person.mailbox))
  await callAs(server, page.browser, `/user_information/${id}/${UPDATE.mailbox}/`, {
    body: { proof: proved.data.proof, newPassword: NEW_PASSWORD },
    headers,
  })
  await messagesTo(server, person.phone)
  expect(JSON.stringify(await outboxOf(server))).not.toContain('evil')
})

test('a disabled recovery is rejected, and the login page does not mention it', async () => {
  const closed = await testServer(DEMO)
  const login = async () => (await createBrowser(closed).get('/auth_web/login')).text
  expect(await login()).toContain('"forgotPassword":true')
  await settings({ offered: false }, closed)
  expect(await login()).toContain('"forgotPassword":false')
  expect((await recoveryIn(closed).begin('anybody')).envelope.code).toBe('password-recovery.not-offered')
})
