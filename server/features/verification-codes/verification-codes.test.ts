import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemContext } from '../../platform/platform.ts'
import { mergeSettings } from '../../platform/settings.ts'
import { codeSentTo, messagesTo, outboxOf } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { startTestServer, type TestServer, testServer } from '../../testing/server.ts'
import { enterPortal, setPolicy } from '../../testing/sign-in.ts'
import { needsCaptcha } from './code-limits.service.ts'
import { purgeCodes, sendCode, verifyCode } from './index.ts'

const DEMO = { env: { DEMO: '1' } }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(DEMO)
})
afterAll(() => server.close())

const ctx = (on = server) => systemContext(on.platform)
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

let made = 0
/** A new person with a number, and the binding of a code for it. */
async function somebody(on = server) {
  made += 1
  const target = `+86138${String(made).padStart(8, '0')}`
  const userId = await addPerson(on, { account: `person-${made}`, phone: target })
  return { purpose: 'reauthentication' as const, userId, target }
}

type Binding = Parameters<typeof verifyCode>[1] extends infer B ? Omit<B & object, 'code'> : never

const send = (binding: object, on = server) =>
  sendCode(ctx(on), { ...(binding as Binding), channel: 'sms', language: 'en' } as Parameters<typeof sendCode>[1])
const spend = (binding: object, code: string, on = server) =>
  verifyCode(ctx(on), { ...(binding as Binding), code } as Parameters<typeof verifyCode>[1])
const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('a code has six digits, arrives, works once and not a second time', async () => {
  const binding = await somebody()
  expect(await send(binding)).toEqual({ secondsLeft: 60, expiresInSeconds: 300, channels: [expect.any(String)] })
  const code = await codeSentTo(server, binding.target)
  expect(code).toMatch(/^\d{6}$/)
  expect(await outcome(spend(binding, code))).toBe('done')
  expect(await outcome(spend(binding, code))).toBe('verification-code.expired')
})

test('of a hundred uses at once, on two nodes, exactly one succeeds', async () => {
  const other = await server.secondNode()
  const binding = await somebody()
  await send(binding)
  const code = await codeSentTo(server, binding.target)
  const tries = Array.from({ length: 100 }, (_, i) => outcome(spend(binding, code, i % 2 ? other : server)))
  expect((await Promise.all(tries)).filter((one) => one === 'done')).toHaveLength(1)
})

test('of a hundred simultaneous guesses no more than five are compared', async () => {
  const binding = await somebody()
  await send(binding)
  const code = await codeSentTo(server, binding.target)
  const tries = await Promise.all(Array.from({ length: 100 }, () => outcome(spend(binding, wrongFor(code)))))
  expect(tries.filter((one) => one === 'verification-code.wrong').length).toBeLessThanOrEqual(5)
  expect(await outcome(spend(binding, code))).toBe('verification-code.too-many-tries')
})

test('a code may be pasted with the sentence around it, or typed in full width', async () => {
  const binding = await somebody()
  await send(binding)
  const code = await codeSentTo(server, binding.target)
  const wide = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')
  expect(await outcome(spend(binding, `验证码：${wide.slice(0, 3)} ${wide.slice(3)}，请勿告诉他人`))).toBe('done')
})

test.each([
  ['after five minutes it is too old', 5 * 60 + 1],
  ['it does not live on when the clock is set back', -3600],
])('%s', async (_, seconds) => {
  const server = await testServer(DEMO)
  const binding = await somebody(server)
  await send(binding, server)
  const code = await codeSentTo(server, binding.target)
  server.advance(seconds)
  expect(await outcome(spend(binding, code, server))).toBe('verification-code.expired')
})

test('another one can be requested after a minute; then only the newest is valid, and wrong attempts continue to count', async () => {
  const server = await testServer(DEMO)
  const binding = await somebody(server)
  await send(binding, server)
  const first = await codeSentTo(server, binding.target)
  for (let i = 0; i < 3; i += 1)
    expect(await outcome(spend(binding, wrongFor(first), server))).toBe('verification-code.wrong')
  expect(await outcome(send(binding, server))).toBe('verification-code.too-soon')
  server.advance(59)
  expect(await outcome(send(binding, server))).toBe('verification-code.too-soon')
  server.advance(2)
  expect(await outcome(send(binding, server))).toBe('done')
  const second = await codeSentTo(server, binding.target, 2)
  if (first !== second) expect(await outcome(spend(binding, first, server))).toBe('verification-code.wrong')
  expect(await outcome(spend(binding, wrongFor(second), server))).toMatch(/wrong|too-many-tries/)
  expect(await outcome(spend(binding, second, server))).toBe('verification-code.too-many-tries')
  server.advance(61)
  expect(await outcome(send(binding, server))).toBe('verification-code.too-many-tries')
  server.advance(15 * 60)
  expect(await outcome(send(binding, server))).toBe('done')
  expect(await outcome(spend(binding, await codeSentTo(server, binding.target, 3), server))).toBe('done')
})

test('requesting a hundred times at once sends one code', async () => {
  const binding = await somebody()
  const asked = await Promise.all(Array.from({ length: 100 }, () => outcome(send(binding))))
  expect(asked.filter((one) => one === 'done')).toHaveLength(1)
  expect(await messagesTo(server, binding.target)).toHaveLength(1)
})

test('a masked number can not be found out by having codes sent to it and then requesting codes for each candidate', async () => {
  const server = await testServer(DEMO)
  const binding = await somebody(server)
  const masked = { ...binding, purpose: 'recovery', browser: 'browser' }
  for (let i = 0; i < 10; i += 1) {
    expect(await outcome(send({ ...masked, typed: `typed-${i}` }, server))).toBe('done')
    server.advance(61)
  }
  const other = { userId: null, target: '+8613877777777' }
  for (const candidate of [binding, other]) {
    const asked = { ...candidate, purpose: 'login', browser: 'browser' }
    expect(await outcome(send(asked, server))).toBe('done')
    expect(await needsCaptcha(ctx(server), candidate.target)).toBe(false)
  }
  expect(await messagesTo(server, binding.target, 10)).toHaveLength(10)
})

test('many people who request a code at the same moment all get one', async () => {
  const people = await Promise.all(Array.from({ length: 40 }, () => somebody()))
  const asked = await Promise.all(people.map((binding) => outcome(send(binding))))
  expect(asked).toEqual(people.map(() => 'done'))
}, 30_000)

test('a target gets ten codes a day, whatever their purpose and requester', async () => {
  const server = await testServer(DEMO)
  const binding = await somebody(server)
  const another = await addPerson(server, { account: 'another' })
  const asked: string[] = []
  for (let i = 0; i < 11; i += 1) {
    const userId = i % 2 ? another : binding.userId
    const purpose = i % 3 ? 'bind-phone' : 'reauthentication'
    asked.push(await outcome(send({ ...binding, userId, purpose }, server)))
    server.advance(61)
  }
  expect(asked).toEqual([...Array(10).fill('done'), 'verification-code.too-many'])
  server.advance(24 * 3600)
  expect(await outcome(send(binding, server))).toBe('done')
})

test.each([
  ['purpose', { purpose: 'bind-phone' }],
  ['account', { userId: '018f0000-0000-7000-8000-000000000000' }],
  ['target', { target: '+8613999999999' }],
  ['typed name', { typed: 'somebody' }],
  ['browser', { browser: 'another' }],
])('a code is invalid with another %s', async (_, change) => {
  const binding = await somebody()
  await send(binding)
  const code = await codeSentTo(server, binding.target)
  expect(await outcome(spend({ ...binding, ...change }, code))).toBe('verification-code.expired')
  expect(await outcome(spend(binding, code))).toBe('done')
})

test('an unknown person gets no message and the same answers as an existing one', async () => {
  const known = { ...(await somebody()), typed: 'somebody-typed', browser: 'browser' }
  const unknown = { ...known, userId: null, target: '+8613877777777', typed: 'nobody-typed' }
  const story = async (binding: typeof known | typeof unknown) => [
    await send(binding),
    await outcome(send(binding)),
    await outcome(spend(binding, 'x')),
    await outcome(spend(binding, 'x')),
    ...(await Promise.all(Array.from({ length: 4 }, () => outcome(spend(binding, 'x'))))).sort(),
    await outcome(send(binding)),
  ]
  expect(await story(unknown)).toEqual(await story(known))
  await messagesTo(server, known.target)
  expect((await outboxOf(server)).filter(({ to }) => to === unknown.target)).toHaveLength(0)
})

test('the limit of a target is not revealed to whoever typed another name: it is skipped silently', async () => {
  const binding = await somebody()
  const asked = ['typed-1', 'typed-2'].map((typed) => ({ ...binding, typed, browser: typed }))
  for (const one of asked) expect(await outcome(send(one))).toBe('done')
  expect(await messagesTo(server, binding.target)).toHaveLength(1)
})

test('neither the codes nor the targets are in the database', async () => {
  const binding = await somebody()
  await send(binding)
  const code = await codeSentTo(server, binding.target)
  const rows = await server.platform.sql`
    select c::text as line from verification_codes c union all select l::text from verification_code_limits l`
  const stored = rows.map((row) => row['line']).join('\n')
  for (const secret of [code, binding.target]) {
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
  }
})

test('without a gateway no code is promised', async () => {
  const server = await testServer()
  const binding = await somebody(server)
  expect(await outcome(send(binding, server))).toBe('verification-code.unavailable')
  expect(await outcome(send({ ...binding, userId: null }, server))).toBe('verification-code.unavailable')
})

test('the limits of an address and of the institution are settings', async () => {
  const server = await testServer(DEMO)
  const limit = (changes: object) =>
    mergeSettings({ ...server.platform, db: server.platform.sql }, 'verificationCodes', changes)
  await limit({ perAddressAnHour: 2 })
  const asked = [await somebody(server), await somebody(server), await somebody(server)]
  const outcomes: string[] = []
  for (const one of asked) outcomes.push(await outcome(send(one, server)))
  expect(outcomes).toEqual(['done', 'done', 'verification-code.too-many'])
  await limit({ perAddressAnHour: 100, inAllADay: 2 })
  expect(await outcome(send(await somebody(server), server))).toBe('verification-code.unavailable')
})

test('old codes and limits are deleted', async () => {
  const server = await testServer(DEMO)
  await send(await somebody(server), server)
  await purgeCodes(server.platform)
  const { sql } = server.platform
  expect(await sql`select 1 from verification_codes`).toHaveLength(1)
  server.advance(25 * 3600)
  await purgeCodes(server.platform)
  expect(await sql`select 1 from verification_codes union all select 1 from verification_code_limits`).toHaveLength(0)
})

test('a logged-in person can request codes only for themselves, at the addresses of the portal', async () => {
  const server = await testServer(DEMO)
  const { userId, target } = await somebody(server)
  const page = await enterPortal(server, target)
  const reauthentication = { purpose: 'reauthentication' }
  const ask = (path: string, body: object, id = userId) => page.call(`/user_information/${id}/${path}`, { body })
  expect(await ask('send_phonecaptcha', reauthentication)).toMatchObject({
    status: 200,
    data: { secondsLeft: 60 },
  })
  expect(await codeSentTo(server, target)).toMatch(/^\d{6}$/)
  expect(await ask('send_email/', { purpose: 'bind-mailbox', mailbox: 'New@Example.edu' })).toMatchObject({
    status: 200,
  })
  expect(await codeSentTo(server, 'new@example.edu')).toMatch(/^\d{6}$/)
  for (const [path, body] of [
    ['send_email', reauthentication],
    ['send_email', { purpose: 'bind-mailbox', mailbox: 'no address' }],
    ['send_phonecaptcha', { purpose: 'bind-mailbox', phone: target }],
    ['send_phonecaptcha', { purpose: 'bind-phone' }],
  ] as const) {
    expect((await ask(path, body)).envelope.code, JSON.stringify(body)).toBe('verification-code.no-target')
  }
  const foreign = await ask('send_phonecaptcha', reauthentication, '018f0000-0000-7000-8000-000000000000')
  expect(foreign.envelope.code).toBe('permission.denied')
  const stranger = await page.call(`/user_information/${userId}/send_phonecaptcha`, {
    body: reauthentication,
    token: 'none',
  })
  expect(stranger.envelope.code).toBe('session.required')
})

test('a person who binds a phone can not have codes sent to everybody', async () => {
  const server = await testServer(DEMO)
  await mergeSettings(ctx(server), 'verificationCodes', { chosenPerPersonADay: 3 })
  const page = await openPortal(server)
  const ask = (phone: string) =>
    page.call(`/user_information/${page.user.userId}/send_phonecaptcha`, { body: { purpose: 'bind-phone', phone } })
  for (const phone of ['13900000001', '13900000002', '13900000003']) expect((await ask(phone)).status).toBe(200)
  expect((await ask('13900000004')).envelope.code).toBe('verification-code.too-many')
  expect((await outboxOf(server)).map(({ to }) => to)).not.toContain('+8613900000004')
  server.advance(24 * 3600 + 1)
  const next = await openPortal(server, { userId: page.user.userId })
  const later = await next.call(`/user_information/${page.user.userId}/send_phonecaptcha`, {
    body: { purpose: 'bind-phone', phone: '13900000004' },
  })
  expect(later.status).toBe(200)
})

test('a session that lacks its second factor sends no codes', async () => {
  const server = await testServer(DEMO)
  await setPolicy(server, { secondFactorSuperUsers: true })
  const page = await openPortal(server, { isSuperUser: true, lacksFactor: true })
  const asked = await page.call(`/user_information/${page.user.userId}/send_phonecaptcha`, {
    body: { purpose: 'bind-phone', phone: '13900000005' },
  })
  expect(asked.envelope).toMatchObject({ state: 403, code: 'session.second-factor-required' })
  expect(await outboxOf(server)).toHaveLength(0)
})
