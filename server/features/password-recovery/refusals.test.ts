import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBrowser } from '../../testing/browser.ts'
import { codeSentTo, messagesTo } from '../../testing/messages.ts'
import { PASSWORD } from '../../testing/people.ts'
import { ANSWERS, addRecoverable, liftAddressLimits, NEW_PASSWORD, recoveryIn } from '../../testing/recovery.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { attempt, setPolicy, solvedCaptcha } from '../../testing/sign-in.ts'

const DEMO = { env: { DEMO: '1' } }
const EXPIRED = 'password-recovery.expired'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(DEMO)
  await setPolicy(server, { addressFailures: 100_000, captchaAfterFailures: 1000 })
  await liftAddressLimits(server)
})
afterAll(() => server.close())

const somebody = (columns?: object, on = server) => addRecoverable(on, columns)

const stillOld = async (account: string) => expect((await attempt(server, account, PASSWORD)).status).toBe(200)

test('without a solved captcha nothing is looked up; one that was solved for a login does not count', async () => {
  const { account } = await somebody()
  const page = recoveryIn(server)
  const body = { account, name: `Name of ${account}` }
  const bare = await page.call('/password_recovery/begin/', body)
  expect(bare.envelope).toMatchObject({ code: 'password-recovery.captcha-required', data: { captcha: {} } })
  const forLogin = await solvedCaptcha(page.browser)
  const wrong = await page.call('/password_recovery/begin/', { ...body, ...forLogin })
  expect(wrong.envelope.code).toBe('password-recovery.captcha-wrong')
})

test('no step can be left out or taken out of order', async () => {
  const { account, phone } = await somebody()
  const page = recoveryIn(server)
  for (const method of ['phone', 'mailbox', 'questions'] as const) {
    expect((await page.set('no-such-recovery', method, 'x')).envelope.code).toBe(EXPIRED)
    expect((await page.call(`/user_information/x/update_password_by_${method}/`, {})).status).toBeGreaterThanOrEqual(
      400,
    )
  }
  const { id } = (await page.begin(account)).data
  for (const method of ['phone', 'mailbox', 'questions'] as const)
    expect((await page.set(id, method, id)).envelope.code).toBe(EXPIRED)
  expect((await page.byCode(id, 'phone', '123456')).envelope.code).toBe('verification-code.expired')
  await page.send(id, 'phone')
  const code = await codeSentTo(server, phone)
  expect((await page.byCode(id, 'mailbox', code)).envelope.code).toBe('verification-code.expired')
  expect((await page.byCode(id, 'phone', code, 'no-such-answers')).envelope.code).toBe(EXPIRED)
  await stillOld(account)
})

test('a proof is valid once, for its own method, and of a hundred concurrent uses for one', async () => {
  const { account, phone } = await somebody()
  const page = recoveryIn(server)
  const { id, proof } = await page.proved(account, 'phone', phone)
  expect((await page.set(id, 'mailbox', proof)).envelope.code).toBe(EXPIRED)
  expect((await page.set(id, 'questions', proof)).envelope.code).toBe(EXPIRED)
  const tries = await Promise.all(
    Array.from({ length: 100 }, (_, i) => page.set(id, 'phone', proof, `Quiet-lake-${i}`)),
  )
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await page.set(id, 'phone', proof)).envelope.code).toBe(EXPIRED)
}, 60_000)

test('a hundred submissions of one code give one proof', async () => {
  const { account, phone } = await somebody()
  const page = recoveryIn(server)
  const { id } = (await page.begin(account)).data
  await page.send(id, 'phone')
  const code = await codeSentTo(server, phone)
  const tries = await Promise.all(Array.from({ length: 100 }, () => page.byCode(id, 'phone', code)))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('five wrong codes end it, also for the correct one; a new recovery continues the count', async () => {
  const { account, phone } = await somebody()
  const page = recoveryIn(server)
  const { id } = (await page.begin(account)).data
  await page.send(id, 'phone')
  const code = await codeSentTo(server, phone)
  for (let i = 0; i < 5; i += 1) await page.byCode(id, 'phone', 'x')
  expect((await page.byCode(id, 'phone', code)).envelope.code).toBe('verification-code.too-many-tries')
  const again = (await page.begin(account)).data.id
  expect((await page.send(again, 'phone')).envelope.code).toBe('verification-code.too-many-tries')
})

test('a proof or an id is useless in another browser, another recovery or for another person', async () => {
  const [mine, other] = [await somebody(), await somebody()]
  const page = recoveryIn(server)
  const { id, proof } = await page.proved(mine.account, 'phone', mine.phone)
  const thief = recoveryIn(server)
  expect((await thief.set(id, 'phone', proof)).envelope.code).toBe(EXPIRED)
  expect((await thief.send(id, 'mailbox')).envelope.code).toBe(EXPIRED)
  const theirs = (await page.begin(other.account)).data.id
  expect((await page.set(theirs, 'phone', proof)).envelope.code).toBe(EXPIRED)
  const second = (await page.begin(mine.account)).data.id
  expect((await page.set(second, 'phone', proof)).envelope.code).toBe(EXPIRED)
  for (const { account } of [mine, other]) await stillOld(account)
  const stranger = createBrowser(server)
  stranger.setCookie(
    'gatehouse_browser',
    page.browser.cookie('gatehouse_browser')?.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')) ?? '',
  )
  expect((await recoveryIn(server, stranger).set(id, 'phone', proof)).envelope.code).toBe(EXPIRED)
  expect((await page.set(id, 'phone', proof)).status).toBe(200)
})

test('two recoveries of two people in one browser do not mix', async () => {
  const [one, two] = [await somebody(), await somebody()]
  const page = recoveryIn(server)
  const [first, second] = [(await page.begin(one.account)).data.id, (await page.begin(two.account)).data.id]
  await page.send(first, 'phone')
  await page.send(second, 'phone')
  const [codeOne, codeTwo] = [await codeSentTo(server, one.phone), await codeSentTo(server, two.phone)]
  if (codeOne !== codeTwo)
    expect((await page.byCode(second, 'phone', codeOne)).envelope.code).toBe('verification-code.wrong')
  const { proof } = (await page.byCode(first, 'phone', codeOne)).data
  expect((await page.set(second, 'phone', proof)).envelope.code).toBe(EXPIRED)
  expect((await page.set(first, 'phone', proof)).status).toBe(200)
  await stillOld(two.account)
})

test.each([
  ['the phone', { phone: '+8613400009999' }],
  ['the mailbox', { mailbox: 'elsewhere@example.edu' }],
])('if %s changes meanwhile, the recovery ends', async (_, change) => {
  const { userId, account, phone } = await somebody()
  const page = recoveryIn(server)
  const { id, proof } = await page.proved(account, 'phone', phone)
  await server.platform.sql`update users set ${server.platform.sql(change)} where id = ${userId}`
  expect((await page.set(id, 'phone', proof)).envelope.code).toBe(EXPIRED)
  expect((await page.send(id, 'mailbox')).envelope.code).toBe(EXPIRED)
  await stillOld(account)
})

test('setting a password ends every other recovery', async () => {
  const { account, phone } = await somebody()
  const [one, two] = [recoveryIn(server), recoveryIn(server)]
  const second = (await two.begin(account)).data.id
  const { id, proof } = await one.proved(account, 'phone', phone)
  expect((await one.set(id, 'phone', proof)).status).toBe(200)
  expect((await two.send(second, 'mailbox')).envelope.code).toBe(EXPIRED)
})

test('a proof is good for fifteen minutes, a recovery for thirty', async () => {
  const server = await testServer(DEMO)
  const { account, phone } = await somebody({}, server)
  const page = recoveryIn(server)
  const { id, proof } = await page.proved(account, 'phone', phone)
  server.advance(15 * 60 + 1)
  expect((await page.set(id, 'phone', proof)).envelope.code).toBe(EXPIRED)
  expect((await page.send(id, 'mailbox')).status).toBe(200)
  server.advance(15 * 60)
  expect((await page.send(id, 'mailbox')).envelope.code).toBe(EXPIRED)
})

test('five wrong sets of answers disable the method by questions for a while, also for the correct ones', async () => {
  const { account } = await somebody()
  const page = recoveryIn(server)
  const { id } = (await page.begin(account)).data
  const wrong = ANSWERS.map((given) => ({ ...given, answer: 'no idea' }))
  for (let i = 0; i < 5; i += 1) await page.byQuestions(id, wrong)
  expect((await page.byQuestions(id, ANSWERS)).envelope.code).toBe('security-questions.too-many-attempts')
})

test.each(['\u0000', 'le\u0000i', "' or 1=1 --", '%', '\ud800', '{{7*7}}', 'x'.repeat(256)])(
  'the name %j is simply unknown',
  async (account) => {
    const reply = await recoveryIn(server).begin(account, account)
    expect(reply.status).toBe(200)
    expect(reply.data.methods.length).toBeGreaterThan(0)
  },
)

test('without a mail server or a text message provider a recovery says so', async () => {
  const { account } = await somebody()
  const page = recoveryIn(server)
  const { id } = (await page.begin(account)).data
  const { sql } = server.platform
  const until = new Date(server.platform.now().getTime() + 3600_000)
  await sql`insert into message_gateways (channel, failures, down_until) values ('sms', 5, ${until})`
  expect((await page.send(id, 'phone')).envelope.code).toBe('verification-code.unavailable')
  await sql`delete from message_gateways`
  expect((await page.send(id, 'phone')).status).toBe(200)
})

test('no code, answer, proof or password is in the database', async () => {
  const { account, phone } = await somebody()
  const page = recoveryIn(server)
  const begun = (await page.begin(account)).data
  await page.send(begun.id, 'phone')
  const code = await codeSentTo(server, phone)
  await messagesTo(server, phone)
  const { proof } = (await page.byCode(begun.id, 'phone', code)).data
  const dump = async () => {
    const rows = await server.platform.sql`
      select h::text as line from ephemeral_state h union all select v::text from verification_codes v
      union all select l::text from verification_code_limits l union all select m::text from messages m`
    return rows.map((row) => row['line']).join('\n')
  }
  const before = await dump()
  await page.set(begun.id, 'phone', proof)
  const stored = before + (await dump())
  for (const secret of [code, proof, begun.id, NEW_PASSWORD]) {
    expect(stored.includes(secret), secret).toBe(false)
    expect(stored.includes(Buffer.from(secret).toString('hex')), secret).toBe(false)
  }
})
