import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ActivationRules } from '#shared/contract/activation.ts'
import {
  ANSWERS,
  addNewcomer,
  begun,
  bindOn,
  NEW_PASSWORD,
  type Newcomer,
  openActivation,
  type Page,
  setRules,
} from '../../testing/activation.ts'
import { createBrowser } from '../../testing/browser.ts'
import { codeSentTo } from '../../testing/messages.ts'
import { addPerson } from '../../testing/people.ts'
import { callAs } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setFieldRules } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
})
afterAll(() => server.close())
beforeEach(() => setRules(server, ActivationRules.parse({})))

let numbers = 0
const newNumber = () => {
  numbers += 1
  return `+8613700${String(numbers).padStart(6, '0')}`
}

const untouched = async ({ userId }: Newcomer) => {
  const [row] = await server.platform.sql`
    select u.activated, u.version, p.hash, (select count(*)::int from security_answers a where a.user_id = u.id) as answers
    from users u left join passwords p on p.user_id = u.id where u.id = ${userId}`
  expect(row).toEqual({ activated: false, version: 1, hash: null, answers: 0 })
}

const STEPS: [string, object][] = [
  ['identity/', { channel: 'mail', code: '123456' }],
  ['password/', { password: NEW_PASSWORD }],
  ['security_questions/', { answers: ANSWERS }],
  ['bind_phone/', { phone: '13900000000', code: '123456' }],
  ['bind_mailbox/', { mailbox: 'x@example.edu', code: '123456' }],
  ['skip/', { step: 'phone' }],
  ['', {}],
]

test.each(STEPS)('/activate/%s does nothing without an activation in this browser', async (path, body) => {
  const newcomer = await addNewcomer(server)
  const other = await begun(server, newcomer)
  const call = async (sent: object) => {
    const { status, envelope } = await callAs(server, createBrowser(server), `/activate/${path}`, { body: sent })
    return { status, code: envelope.code }
  }
  expect((await call({})).status).toBe(400)
  expect(await call({ ...body, proof: '' })).toEqual({ status: 410, code: 'activation.expired' })
  expect(await call({ ...body, proof: other.state().proof })).toEqual({ status: 410, code: 'activation.expired' })
  await untouched(newcomer)
})

test('steps can’t be taken out of order, and required ones can’t be skipped', async () => {
  const newcomer = await addNewcomer(server, { mailbox: 'turn@example.edu' })
  const page = await begun(server, newcomer)
  const outOfStep = { status: 409, code: 'activation.out-of-step' }
  for (const [path, body] of STEPS.slice(1, 5)) expect(await page.call(path, body), path).toMatchObject(outOfStep)
  for (const step of ['password', 'security-questions', 'phone', 'mailbox']) {
    expect(await page.call('skip/', { step })).toMatchObject(outOfStep)
  }
  expect(await page.call('skip/', { step: 'identity' })).toMatchObject({ code: 'activation.step-required' })
  expect(await page.call('', {})).toMatchObject({ status: 409, code: 'activation.step-required' })
  expect(await page.send('sms', newNumber())).toMatchObject(outOfStep)
  await untouched(newcomer)
})

test('a proof of an earlier step, another person or another browser is refused', async () => {
  const [one, two] = [await addNewcomer(server), await addNewcomer(server)]
  const [first, second] = [await begun(server, one), await begun(server, two)]
  const old = first.state().proof
  await first.call('password/', { password: NEW_PASSWORD })
  const outOfStep = { status: 409, code: 'activation.out-of-step' }
  const skip = { step: 'security-questions' }
  expect(await first.call('skip/', { ...skip, proof: old })).toMatchObject(outOfStep)
  expect(await first.call('skip/', { ...skip, proof: second.state().proof })).toMatchObject(outOfStep)
  const thief = openActivation(server)
  expect(await thief.call('skip/', { ...skip, proof: first.state().proof })).toMatchObject({
    code: 'activation.expired',
  })
  // A second information check in the same browser replaces the first.
  const mixed = openActivation(server, first.browser)
  await mixed.begin(await addNewcomer(server).then(({ account, name, idNumber }) => ({ account, name, idNumber })))
  expect(await first.call('skip/', skip)).toMatchObject(outOfStep)
  await untouched(one)
  await untouched(two)
})

test('of two activations of one person, the first to finish counts and the other ends', async () => {
  const newcomer = await addNewcomer(server)
  const [first, second] = [await begun(server, newcomer), await begun(server, newcomer)]
  const finish = async (page: Page) => {
    for (const step of ['security-questions', 'phone', 'mailbox']) await page.call('skip/', { step })
    return await page.call('', {})
  }
  await second.call('password/', { password: 'Another-hill-64' })
  await first.call('password/', { password: NEW_PASSWORD })
  expect((await finish(first)).status).toBe(200)
  expect(await finish(second)).toMatchObject({ status: 410, code: 'activation.expired' })
})

test('a wrong, used, expired or foreign code verifies nothing', async () => {
  const mine = await addNewcomer(server, { mailbox: 'mine@example.edu', phone: newNumber() })
  const theirs = await addNewcomer(server, { mailbox: 'theirs@example.edu' })
  const [page, other] = [await begun(server, mine), await begun(server, theirs)]
  await page.send('mail')
  await other.send('mail')
  const [code, foreign] = [await codeSentTo(server, 'mine@example.edu'), await codeSentTo(server, 'theirs@example.edu')]
  const prove = (on: Page, given: string, channel = 'mail') => on.call('identity/', { channel, code: given })
  if (foreign !== code) expect(await prove(page, foreign)).toMatchObject({ code: 'verification-code.wrong' })
  expect(await prove(page, code, 'sms')).toMatchObject({ code: 'verification-code.expired' })
  // The same person in another browser: the code was requested in this one.
  const elsewhere = await begun(server, mine)
  expect(await prove(elsewhere, code)).toMatchObject({ code: 'verification-code.expired' })
  expect((await prove(page, code)).status).toBe(200)
  expect(await prove(page, code)).toMatchObject({ code: 'activation.out-of-step' })
  server.advance(61)
  await other.send('mail')
  const late = await codeSentTo(server, 'theirs@example.edu', 2)
  server.advance(6 * 60)
  expect(await prove(other, late)).toMatchObject({ status: 410, code: 'verification-code.expired' })
  await untouched(theirs)
})

test('a code is valid only for the number it was sent to', async () => {
  const newcomer = await addNewcomer(server)
  const page = await begun(server, newcomer)
  await page.call('password/', { password: NEW_PASSWORD })
  await page.call('skip/', { step: 'security-questions' })
  const [phone, another] = [newNumber(), newNumber()]
  await page.send('sms', phone)
  const code = await codeSentTo(server, phone)
  expect(await page.call('bind_phone/', { phone: another, code })).toMatchObject({ code: 'verification-code.expired' })
  expect(await page.call('bind_phone/', { phone: 'not a number', code })).toMatchObject({ code: 'activation.no-phone' })
  expect(await page.send('sms', 'not a number')).toMatchObject({ code: 'activation.no-phone' })
  expect((await page.call('bind_phone/', { phone: ` ${phone.slice(3, 6)} ${phone.slice(6)}`, code })).status).toBe(200)
})

test.each([
  ['another phone', { phone: '13711111111' }, '+8613711111111'],
  ['an alias', { alias: '13711111112' }, '+8613711111112'],
  ['an account', { account: '13711111113' }, '+8613711111113'],
])('a number that is %s of somebody is told only to who holds it, and is not bound', async (_, about, phone) => {
  await addPerson(server, { account: `owner-of-${phone.slice(-1)}`, ...about })
  const page = await begun(server, await addNewcomer(server))
  await page.call('password/', { password: NEW_PASSWORD })
  await page.call('skip/', { step: 'security-questions' })
  expect(await page.call('bind_phone/', { phone, code: '000000' })).toMatchObject({ code: 'verification-code.expired' })
  expect(await bindOn(server, page, 'sms', phone)).toMatchObject({ status: 409, code: 'activation.phone-taken' })
  expect((await page.call('skip/', { step: 'phone' })).status).toBe(200)
})

test('a number that somebody else binds before the end is asked for again, and nothing else is lost', async () => {
  const phone = newNumber()
  const newcomer = await addNewcomer(server)
  const page = await begun(server, newcomer)
  await page.call('password/', { password: NEW_PASSWORD })
  await page.call('skip/', { step: 'security-questions' })
  await bindOn(server, page, 'sms', phone)
  await page.call('skip/', { step: 'mailbox' })
  await addPerson(server, { account: 'quicker', phone })
  expect(await page.call('', {})).toMatchObject({ status: 409, code: 'activation.phone-taken' })
  await untouched(newcomer)
  const now = await page.reload()
  expect(now?.steps.find(({ step }) => step === 'phone')).toMatchObject({ state: 'open', about: null })
  await page.call('skip/', { step: 'phone' })
  expect((await page.call('', {})).status).toBe(200)
})

test.each([
  ['frozen', 'frozen_from = created_at'],
  ['locked by an administrator', 'locked_at = created_at'],
  ['disabled', 'enabled = false'],
  ['deleted', 'deleted_at = created_at'],
  ['activated by somebody else', 'activated = true'],
])('an account that is %s on the way is not activated', async (_, change) => {
  const newcomer = await addNewcomer(server)
  const page = await begun(server, newcomer)
  await page.call('password/', { password: NEW_PASSWORD })
  await server.platform.sql.unsafe(`update users set ${change} where id = '${newcomer.userId}'`)
  const refused = await page.call('skip/', { step: 'security-questions' })
  expect(['activation.over', 'activation.expired']).toContain(refused.code)
  expect((await page.call('', {})).status).toBeGreaterThan(400)
  const hashes = await server.platform.sql`select 1 from passwords where user_id = ${newcomer.userId}`
  expect(hashes).toHaveLength(0)
})

test('weak passwords are refused with the reason, by the common password policy', async () => {
  const newcomer = await addNewcomer(server, { name: 'Zhang Weiming' })
  const page = openActivation(server)
  await page.begin({ account: newcomer.account, name: 'zhang weiming', idNumber: newcomer.idNumber })
  for (const password of ['short1', 'P@ssw0rd', 'Zhang Weiming 7!', `x-1${'y'.repeat(62)}`]) {
    expect(await page.call('password/', { password })).toMatchObject({ status: 422, code: 'password.too-weak' })
  }
  await untouched(newcomer)
})

test('the rules decide the order, what is required, what is off, and whether activation is offered', async () => {
  await setRules(server, {
    steps: [
      { step: 'security-questions', need: 'required' },
      { step: 'password', need: 'required' },
    ],
  })
  await setFieldRules(server, { 'name.askAtActivation': false, 'birthday.askAtActivation': true })
  const newcomer = await addNewcomer(server, { birthday: '2001-02-03', mailbox: 'rules@example.edu' })
  const page = openActivation(server)
  const { account, idNumber } = newcomer
  expect((await page.begin({ account, idNumber, birthday: '2001-02-04' })).status).toBe(422)
  expect((await page.begin({ account, idNumber, birthday: '2001/02/03' })).status).toBe(200)
  expect(page.state().steps.map(({ step }) => step)).toEqual(['security-questions', 'password'])
  expect(await page.call('skip/', { step: 'security-questions' })).toMatchObject({ code: 'activation.step-required' })
  expect(await page.call('password/', { password: NEW_PASSWORD })).toMatchObject({ code: 'activation.out-of-step' })
  await page.call('security_questions/', { answers: ANSWERS })
  await page.call('password/', { password: NEW_PASSWORD })
  expect((await page.call('', {})).status).toBe(200)
  await setFieldRules(server, { 'name.askAtActivation': true, 'birthday.askAtActivation': false })
  await setRules(server, { offered: false })
  expect(await openActivation(server).begin(newcomerFields(await addNewcomer(server)))).toMatchObject({
    status: 404,
    code: 'activation.not-offered',
  })
  await setRules(server, { offered: true })
})

const newcomerFields = ({ account, name, idNumber }: Newcomer) => ({ account, name, idNumber })

test('whoever has no ID number on file must verify a phone or mailbox on file, whatever the rules skip', async () => {
  await setRules(server, { steps: [{ step: 'password', need: 'optional' }] })
  const reachable = await addNewcomer(server, { idNumber: undefined, mailbox: 'reachable@example.edu' })
  const page = openActivation(server)
  expect((await page.begin(newcomerFields(reachable))).status).toBe(200)
  expect(page.state().steps.map(({ step, need }) => `${step} ${need}`)).toEqual([
    'identity required',
    'password required',
  ])
  expect(await page.call('', {})).toMatchObject({ code: 'activation.step-required' })
  await page.send('mail')
  const code = await codeSentTo(server, 'reachable@example.edu')
  await page.call('identity/', { channel: 'mail', code })
  expect(await page.call('skip/', { step: 'password' })).toMatchObject({ code: 'activation.step-required' })
  const unreachable = await addNewcomer(server, { idNumber: undefined })
  expect(await openActivation(server).begin(newcomerFields(unreachable))).toMatchObject({ code: 'activation.refused' })
})

test('cancelling deletes the activation', async () => {
  const newcomer = await addNewcomer(server)
  const page = await begun(server, newcomer)
  await page.call('password/', { password: NEW_PASSWORD })
  await callAs(server, page.browser, '/activate/give_up/', { body: {} })
  expect(await page.reload()).toBeNull()
  const rows = await server.platform.sql`select 1 from activation_flows where user_id = ${newcomer.userId}`
  expect(rows).toHaveLength(0)
  await untouched(newcomer)
})
