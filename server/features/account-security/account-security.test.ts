import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountSecurity } from '#shared/contract/account-security.ts'
import { codeSentTo, messagesTo, outboxOf } from '../../testing/messages.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt, type Entered, enterPortal, setPolicy } from '../../testing/sign-in.ts'

const nextPhone = (
  (number) => () =>
    `1390000${String(number++).padStart(4, '0')}`
)(1)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
  await setPolicy(server, { addressFailures: 100_000, captchaAfterFailures: 100, lockAfterFailures: 100 })
  const limits = { perTargetADay: 1000 }
  await server.platform.sql`
    insert into settings (name, value, updated_at) values ('verificationCodes', ${JSON.stringify(limits)}::text::jsonb, now())`
})
afterAll(() => server.close())

type Person = Parameters<typeof addPerson>[1]

/** A person logged in at the portal who has just reauthenticated. */
async function reauthenticated(person: Person): Promise<Entered> {
  await addPerson(server, person)
  const page = await enterPortal(server, person.account)
  await reauthenticate(page)
  return page
}

const reauthenticate = async (page: Entered) =>
  expect(
    await page.call('/reauthentication/submit/', { body: { method: 'password', answer: PASSWORD } }),
  ).toMatchObject({
    status: 200,
  })

const own = (page: Entered, call: string, body: object, id = page.user.userId) =>
  page.call<AccountSecurity>(`/user_information/${id}/${call}/`, { body })
const look = async (page: Entered) => (await page.call<AccountSecurity>('/user_information/account_security/')).data

async function sendTo(page: Entered, phone: string): Promise<string> {
  const body = { purpose: 'bind-phone', phone }
  const before = (await outboxOf(server)).filter(({ to }) => to === `+86${phone}`).length
  const sent = await page.call(`/user_information/${page.user.userId}/send_phonecaptcha/`, { body })
  expect(sent.envelope).toMatchObject({ state: 200 })
  return await codeSentTo(server, `+86${phone}`, before + 1)
}

const refusal = (reply: { envelope: { state: number; code?: string } }) =>
  `${reply.envelope.state} ${reply.envelope.code}`

const auditOf = async (page: Entered, action: string) => [
  ...(await server.platform.sql`
    select actor_id, before, after, host(ip) as ip from audit_records
    where action = ${action} and target_id = ${page.user.userId} order by at`),
]

test('the list shows what is set, numbers masked', async () => {
  const phone = nextPhone()
  const page = await reauthenticated({ account: 'lilei', phone, mailbox: 'LiLei@example.edu', alias: 'lei.li' })
  expect(await look(page)).toMatchObject({
    password: { isSet: true, changedAt: expect.stringMatching(/Z$/) },
    securityQuestions: [],
    phone: `139****${phone.slice(-4)}`,
    mailbox: 'L***@example.edu',
    alias: 'lei.li',
    aliasChangesLeft: 3,
    channels: { sms: true, mail: true },
  })
})

test.each([
  ['bind_phone', { phone: '13900009999', code: '123456' }],
  ['bind_mailbox', { mailbox: 'a@example.edu', code: '123456' }],
  ['bind_alias', { alias: 'somebody' }],
  ['unbind', { kind: 'phone' }],
  [
    'security_questions',
    { answers: ['first-pet', 'first-book', 'birth-town'].map((question) => ({ question, answer: question })) },
  ],
])('%s requires reauthentication, and only works on one’s own account', async (call, body) => {
  const account = `bare-${call.replaceAll('_', '-')}`
  await addPerson(server, { account, phone: nextPhone() })
  const page = await enterPortal(server, account)
  const before = await look(page)
  expect(refusal(await own(page, call, body))).toBe('409 reauthentication.required')
  await reauthenticate(page)
  const other = await addPerson(server, { account: `other-${account}` })
  expect(refusal(await own(page, call, body, other))).toBe('403 account-security.not-yours')
  expect(refusal(await own(page, call, body, '00000000-0000-7000-8000-000000000000'))).toBe(
    '403 account-security.not-yours',
  )
  server.advance(11 * 60)
  expect(refusal(await own(page, call, body))).toBe('409 reauthentication.required')
  expect(await look(page)).toEqual(before)
})

test('a phone is bound by the code sent to it, the former one is notified, and the records mask both', async () => {
  const [former, phone] = [nextPhone(), nextPhone()]
  const page = await reauthenticated({ account: 'binder', phone: former, mailbox: 'binder@example.edu' })
  const before = await look(page)
  const code = await sendTo(page, phone)
  const bound = await own(page, 'bind_phone', { phone: `＋86 ${phone}`, code, version: before.version })
  expect(bound.data).toMatchObject({ phone: `139****${phone.slice(-4)}`, version: before.version + 1 })
  const [notice] = await messagesTo(server, `+86${former}`)
  expect(notice?.text).toContain('the phone number was changed')
  await messagesTo(server, 'binder@example.edu')
  expect(await auditOf(page, 'account.phone-changed')).toEqual([
    {
      actorId: page.user.userId,
      before: { phone: `139****${former.slice(-4)}` },
      after: { phone: `139****${phone.slice(-4)}` },
      ip: '127.0.0.1',
    },
  ])
  expect(await attempt(server, phone)).toMatchObject({ status: 200 })
  expect(await attempt(server, former)).toMatchObject({ status: 401 })
  expect(refusal(await own(page, 'bind_phone', { phone, code }))).toBe('409 phone.unchanged')
})

test('a mailbox is bound the same way', async () => {
  const page = await reauthenticated({ account: 'mailer', mailbox: 'old@example.edu' })
  const body = { purpose: 'bind-mailbox', mailbox: 'New@Example.edu' }
  expect((await page.call(`/user_information/${page.user.userId}/send_email`, { body })).status).toBe(200)
  const code = await codeSentTo(server, 'new@example.edu')
  expect(refusal(await own(page, 'bind_mailbox', { mailbox: 'new@other.edu', code: '000000' }))).toMatch(/^410 /)
  const bound = await own(page, 'bind_mailbox', { mailbox: ' new@EXAMPLE.edu', code })
  expect(bound.data).toMatchObject({ mailbox: 'n***@example.edu' })
  await messagesTo(server, 'old@example.edu')
  expect(await auditOf(page, 'account.mailbox-changed')).toMatchObject([
    { before: { mailbox: 'o***@example.edu' }, after: { mailbox: 'n***@example.edu' } },
  ])
})

test('a code is valid once, for the person, number and purpose it was sent for, for five minutes', async () => {
  const [phone, another] = [nextPhone(), nextPhone()]
  const page = await reauthenticated({ account: 'tester', phone: nextPhone() })
  const stranger = await reauthenticated({ account: 'stranger' })
  const code = await sendTo(page, phone)
  // Changed between sending and binding.
  expect(refusal(await own(page, 'bind_phone', { phone: another, code }))).toBe('410 verification-code.expired')
  expect(refusal(await own(stranger, 'bind_phone', { phone, code }))).toBe('410 verification-code.expired')
  expect(refusal(await own(page, 'bind_mailbox', { mailbox: 'a@b.cn', code }))).toBe('410 verification-code.expired')
  expect(refusal(await page.call('/reauthentication/submit/', { body: { method: 'phone', answer: code } }))).toBe(
    '410 verification-code.expired',
  )
  const wrong = code === '000000' ? '000001' : '000000'
  expect(refusal(await own(page, 'bind_phone', { phone, code: wrong }))).toBe('422 verification-code.wrong')
  server.advance(301)
  expect(refusal(await own(page, 'bind_phone', { phone, code }))).toBe('410 verification-code.expired')
  const fresh = await sendTo(page, phone)
  expect((await own(page, 'bind_phone', { phone, code: fresh })).status).toBe(200)
  await sendTo(page, another)
  expect(refusal(await own(page, 'bind_phone', { phone: another, code: fresh }))).toBe('422 verification-code.wrong')
  expect((await look(page)).phone).toBe(`139****${phone.slice(-4)}`)
})

test('that a number belongs to somebody else is told only to whoever holds it, and it stays theirs', async () => {
  const phone = nextPhone()
  const owner = await reauthenticated({ account: 'owner', phone })
  const page = await reauthenticated({ account: 'taker' })
  expect(refusal(await own(page, 'bind_phone', { phone, code: '123456' }))).toBe('410 verification-code.expired')
  const code = await sendTo(page, phone)
  expect(refusal(await own(page, 'bind_phone', { phone, code }))).toBe('409 phone.taken')
  expect(await look(page)).toMatchObject({ phone: null })
  expect(await look(owner)).toMatchObject({ phone: `139****${phone.slice(-4)}` })
  expect(await auditOf(page, 'account.phone-changed')).toEqual([])
})

test('of a hundred parallel bindings of one number by two people one succeeds', async () => {
  const phone = nextPhone()
  const people = [await reauthenticated({ account: 'racer-1' }), await reauthenticated({ account: 'racer-2' })]
  const codes = [await sendTo(people[0] as Entered, phone)]
  server.advance(61)
  codes.push(await sendTo(people[1] as Entered, phone))
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, i) => own(people[i % 2] as Entered, 'bind_phone', { phone, code: codes[i % 2] })),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  const owners = await server.platform.sql`select 1 from users where phone = ${`+86${phone}`}`
  expect(owners).toHaveLength(1)
})

test('two people who bind each other’s numbers at once are both rejected, without deadlock', async () => {
  const phones = [nextPhone(), nextPhone()] as const
  const [a, b] = [
    await reauthenticated({ account: 'swapper-1', phone: phones[0] }),
    await reauthenticated({ account: 'swapper-2', phone: phones[1] }),
  ]
  const bodies = [
    { phone: phones[1], code: await sendTo(a, phones[1]) },
    { phone: phones[0], code: await sendTo(b, phones[0]) },
  ] as const
  const replies = await Promise.all([own(a, 'bind_phone', bodies[0]), own(b, 'bind_phone', bodies[1])])
  expect(replies.map(refusal)).toEqual(['409 phone.taken', '409 phone.taken'])
})

test('a change made meanwhile in another window is not overwritten', async () => {
  const page = await reauthenticated({ account: 'two-windows' })
  const { version } = await look(page)
  expect((await own(page, 'bind_alias', { alias: 'first.window', version })).status).toBe(200)
  expect(refusal(await own(page, 'bind_alias', { alias: 'second.window', version }))).toBe('409 version.conflict')
  expect((await look(page)).alias).toBe('first.window')
})

test('the security questions are replaced together, and neither they nor the answers are recorded', async () => {
  const page = await reauthenticated({ account: 'asked', mailbox: 'asked@example.edu' })
  const answers = ['first-pet', 'first-book', 'birth-town'].map((question, i) => ({ question, answer: `Answer ${i}` }))
  expect(refusal(await own(page, 'security_questions', { answers: answers.slice(1) }))).toMatch(/^400 /)
  const twice = answers.map((given) => ({ ...given, question: 'first-pet' }))
  expect(refusal(await own(page, 'security_questions', { answers: twice }))).toBe(
    '422 security-questions.same-question',
  )
  const saved = await own(page, 'security_questions', { answers })
  expect(saved.data.securityQuestions.map(({ code }) => code)).toEqual(answers.map(({ question }) => question))
  expect(await auditOf(page, 'account.security-questions-changed')).toMatchObject([
    { before: { answered: false }, after: { answered: true } },
  ])
  const [notice] = await messagesTo(server, 'asked@example.edu')
  expect(notice?.text).toContain('the security questions were changed')
})

test('the last method of password recovery is removed only with explicit confirmation', async () => {
  const phone = nextPhone()
  const page = await reauthenticated({ account: 'leaver', phone, mailbox: 'leaver@example.edu' })
  expect((await own(page, 'unbind', { kind: 'phone' })).data).toMatchObject({ phone: null })
  await messagesTo(server, `+86${phone}`)
  expect(refusal(await own(page, 'unbind', { kind: 'phone' }))).toBe('409 account-security.nothing-bound')
  expect(refusal(await own(page, 'unbind', { kind: 'mailbox' }))).toBe('409 account-security.last-method')
  expect((await own(page, 'unbind', { kind: 'mailbox', lastMethod: true })).data).toMatchObject({ mailbox: null })
  expect(await attempt(server, phone)).toMatchObject({ status: 401 })
  expect(await auditOf(page, 'account.phone-changed')).toMatchObject([{ after: { phone: null } }])
})

test('a password change is notified to the bound phone and mailbox, with the number of logins that it ended', async () => {
  const phone = nextPhone()
  const page = await reauthenticated({ account: 'changer', phone, mailbox: 'changer@example.edu' })
  await enterPortal(server, 'changer')
  const reply = await page.call<{ ended: number }>(`/user_information/${page.user.userId}/update_password/`, {
    body: { oldPassword: PASSWORD, newPassword: 'Quiet-lake-7731' },
  })
  expect(reply.data.ended).toBe(1)
  const [sms] = await messagesTo(server, `+86${phone}`)
  expect(sms?.text).toContain('the password was changed')
  await messagesTo(server, 'changer@example.edu')
})

test('a code to the bound phone or mailbox works for reauthentication too', async () => {
  const phone = nextPhone()
  await addPerson(server, { account: 'coder', phone, mailbox: 'coder@example.edu' })
  const page = await enterPortal(server, 'coder')
  const { data } = await page.call<{ methods: unknown }>('/reauthentication/query/')
  expect(data.methods).toEqual([
    { method: 'password', hint: '' },
    { method: 'phone', hint: `139****${phone.slice(-4)}` },
    { method: 'mailbox', hint: 'c***@example.edu' },
  ])
  const begin = (method: string) => page.call<{ secondsLeft: number }>('/reauthentication/begin/', { body: { method } })
  expect((await begin('phone')).data).toMatchObject({ secondsLeft: 60 })
  expect(refusal(await begin('phone'))).toBe('429 verification-code.too-soon')
  const code = await codeSentTo(server, `+86${phone}`)
  const reauthenticateBy = (method: string, answer: string) =>
    page.call('/reauthentication/submit/', { body: { method, answer } })
  expect(refusal(await reauthenticateBy('mailbox', code))).toBe('410 verification-code.expired')
  expect((await reauthenticateBy('phone', code)).status).toBe(200)
  expect(refusal(await reauthenticateBy('phone', code))).toBe('410 verification-code.expired')
  expect((await own(page, 'bind_alias', { alias: 'coder.alias' })).status).toBe(200)
})

test('a code to a phone that was unbound a moment ago proves nothing', async () => {
  const phone = nextPhone()
  const userId = await addPerson(server, { account: 'moved', phone })
  const page = await enterPortal(server, 'moved')
  await page.call('/reauthentication/begin/', { body: { method: 'phone' } })
  const code = await codeSentTo(server, `+86${phone}`)
  await server.platform.sql`update users set phone = ${`+86${nextPhone()}`} where id = ${userId}`
  expect(refusal(await page.call('/reauthentication/submit/', { body: { method: 'phone', answer: code } }))).toBe(
    '410 verification-code.expired',
  )
})
