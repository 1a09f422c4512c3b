import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ANSWERS,
  addNewcomer,
  begun,
  bindOn,
  NEW_PASSWORD,
  type Newcomer,
  openActivation,
} from '../../testing/activation.ts'
import { codeSentTo, messagesTo } from '../../testing/messages.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt } from '../../testing/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
})
afterAll(() => server.close())

let numbers = 0
const newNumber = () => {
  numbers += 1
  return `+8613900${String(numbers).padStart(6, '0')}`
}

const rowOf = async ({ userId }: Newcomer) => {
  const [row] = await server.platform.sql`
    select u.activated, u.phone, u.mailbox, u.version, p.hash is not null as has_password,
      (select count(*)::int from security_answers a where a.user_id = u.id) as answers,
      array(select kind || ':' || canonical from login_names l where l.user_id = u.id order by 1) as names
    from users u left join passwords p on p.user_id = u.id where u.id = ${userId}`
  return row
}
const nothingDone = (row: Awaited<ReturnType<typeof rowOf>>) =>
  expect(row).toMatchObject({ activated: false, hasPassword: false, answers: 0 })

test('a newcomer verifies their data, sets everything up and can log in; nothing is written before the end', async () => {
  const phone = newNumber()
  const newcomer = await addNewcomer(server, { mailbox: 'Full.Way@example.edu' })
  const page = await begun(server, newcomer)
  expect(page.state()).toMatchObject({ account: newcomer.account, name: newcomer.name, isComplete: false })
  expect(page.state().targets).toEqual([{ channel: 'mail', masked: expect.stringMatching(/^.\*\*\*@example\.edu$/) }])
  const states = () => page.state().steps.map(({ step, need, state }) => `${step} ${need} ${state}`)
  expect(states()).toEqual([
    'identity required open',
    'password required open',
    'security-questions optional open',
    'phone optional open',
    'mailbox optional done',
  ])
  expect((await page.send('mail')).status).toBe(200)
  const code = await codeSentTo(server, 'Full.Way@example.edu')
  expect((await page.call('identity/', { channel: 'mail', code })).status).toBe(200)
  expect((await page.call('password/', { password: NEW_PASSWORD })).status).toBe(200)
  expect((await page.call('security_questions/', { answers: ANSWERS })).status).toBe(200)
  expect((await bindOn(server, page, 'sms', phone)).status).toBe(200)
  expect(states().filter((text) => text.endsWith('done'))).toHaveLength(5)
  nothingDone(await rowOf(newcomer))
  expect((await attempt(server, newcomer.account, NEW_PASSWORD)).status).toBe(401)
  const end = await page.call('', {})
  expect(end.data).toMatchObject({ isComplete: true })
  expect(await rowOf(newcomer)).toMatchObject({
    activated: true,
    hasPassword: true,
    answers: 3,
    phone,
    names: [`account:${newcomer.account}`, 'mailbox:full.way@example.edu', `phone:${phone}`],
  })
  expect((await attempt(server, phone, NEW_PASSWORD)).status).toBe(200)
  const [audit] = await server.platform.sql`
    select actor_id, actor, after from audit_records where action = 'account.activate' and target_id = ${newcomer.userId}`
  expect(audit).toMatchObject({
    actor: newcomer.userId,
    after: { activated: true, password: 'set', securityQuestions: 3, phone: expect.stringMatching(/^139\*{4}\d{4}$/) },
  })
  const [notice] = await messagesTo(server, 'Full.Way@example.edu', 2)
  expect(notice?.subject).toMatch(/activated/i)
})

test('optional steps can be skipped; without a phone or mailbox on file the ID number alone verifies', async () => {
  const newcomer = await addNewcomer(server)
  const page = await begun(server, newcomer)
  expect(page.state().steps.map(({ step }) => step)).toEqual(['password', 'security-questions', 'phone', 'mailbox'])
  await page.call('password/', { password: NEW_PASSWORD })
  for (const step of ['security-questions', 'phone', 'mailbox']) {
    expect((await page.call('skip/', { step })).status).toBe(200)
  }
  expect((await page.call('', {})).status).toBe(200)
  expect(await rowOf(newcomer)).toMatchObject({ activated: true, hasPassword: true, answers: 0, phone: null })
  expect((await attempt(server, newcomer.account, NEW_PASSWORD)).status).toBe(200)
  expect(await page.reload()).toMatchObject({ isComplete: true })
  server.advance(6 * 60)
  expect(await page.reload()).toBeNull()
})

test('a reload continues at the same step, in this browser, for half an hour', async () => {
  const newcomer = await addNewcomer(server)
  const page = await begun(server, newcomer)
  await page.call('password/', { password: NEW_PASSWORD })
  const before = page.state()
  expect(await page.reload()).toMatchObject({ id: before.id, proof: before.proof, steps: before.steps })
  expect(await openActivation(server).reload()).toBeNull()
  server.advance(29 * 60)
  expect(await page.reload()).not.toBeNull()
  expect((await page.call('skip/', { step: 'security-questions' })).status).toBe(200)
  server.advance(29 * 60)
  expect(await page.reload()).not.toBeNull()
  server.advance(2 * 60)
  expect(await page.reload()).toBeNull()
  expect(await page.call('skip/', { step: 'phone' })).toMatchObject({ status: 410, code: 'activation.expired' })
  nothingDone(await rowOf(newcomer))
})

test('a finished step can be repeated, and the latest input counts', async () => {
  const newcomer = await addNewcomer(server)
  const page = await begun(server, newcomer)
  await page.call('password/', { password: 'Narrow-brook-31' })
  await page.call('security_questions/', { answers: ANSWERS })
  expect((await page.call('password/', { password: NEW_PASSWORD })).status).toBe(200)
  expect((await page.call('skip/', { step: 'security-questions' })).status).toBe(200)
  await page.call('skip/', { step: 'phone' })
  await page.call('skip/', { step: 'mailbox' })
  expect((await page.call('', {})).status).toBe(200)
  expect(await rowOf(newcomer)).toMatchObject({ activated: true, answers: 0 })
  expect((await attempt(server, newcomer.account, 'Narrow-brook-31')).status).toBe(401)
  expect((await attempt(server, newcomer.account, NEW_PASSWORD)).status).toBe(200)
})

test('of a hundred parallel completions on two nodes one counts, and the account is activated once', async () => {
  const newcomer = await addNewcomer(server)
  const page = await begun(server, newcomer)
  await page.call('password/', { password: NEW_PASSWORD })
  for (const step of ['security-questions', 'phone', 'mailbox']) await page.call('skip/', { step })
  const { proof } = page.state()
  const other = { ...(await server.secondNode()) }
  const elsewhere = openActivation(other, page.browser)
  const ends = await Promise.all(
    Array.from({ length: 100 }, (_, at) => (at % 2 ? page : elsewhere).call('', { proof })),
  )
  expect(ends.filter(({ status }) => status === 200)).toHaveLength(1)
  // A machine under load turns calls away.
  const refusals = ['activation.out-of-step', 'activation.over', 'service.unavailable']
  for (const { status, code } of ends) if (status !== 200) expect(refusals).toContain(code)
  const lines = await server.platform.sql`
    select 1 from audit_records where action = 'account.activate' and target_id = ${newcomer.userId}`
  expect(lines).toHaveLength(1)
  expect(await rowOf(newcomer)).toMatchObject({ activated: true, hasPassword: true })
})

test('a completion that fails halfway leaves the account unchanged and can be retried', async () => {
  const newcomer = await addNewcomer(server)
  const page = await begun(server, newcomer)
  await page.call('password/', { password: NEW_PASSWORD })
  await page.call('security_questions/', { answers: ANSWERS })
  await page.call('skip/', { step: 'phone' })
  await page.call('skip/', { step: 'mailbox' })
  const { sql } = server.platform
  await sql.unsafe(`
    create function break_audit() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
    create trigger break_audit before insert on audit_records for each row execute function break_audit()`)
  expect((await page.call('', {})).status).toBe(500)
  nothingDone(await rowOf(newcomer))
  await sql.unsafe('drop function break_audit cascade')
  expect((await page.call('', {})).status).toBe(200)
  expect(await rowOf(newcomer)).toMatchObject({ activated: true, hasPassword: true, answers: 3 })
})

test('nothing that is kept until the end is stored in clear', async () => {
  const phone = newNumber()
  const newcomer = await addNewcomer(server)
  const page = await begun(server, newcomer)
  await page.call('password/', { password: NEW_PASSWORD })
  await page.call('security_questions/', { answers: ANSWERS })
  await bindOn(server, page, 'sms', phone)
  const [row] = await server.platform.sql`
    select f::text as text from activation_flows f where user_id = ${newcomer.userId}`
  for (const secret of [
    NEW_PASSWORD,
    'Red Hill',
    'red hill',
    phone,
    phone.slice(3),
    newcomer.idNumber,
    page.state().proof,
  ]) {
    expect(row?.['text']).not.toContain(secret)
  }
})

test('an account with an initial password is activated with or without a new one', async () => {
  const newcomer = await addNewcomer(server, { password: 'First-given-83' })
  expect(await attempt(server, newcomer.account, 'First-given-83')).toMatchObject({
    status: 403,
    code: 'sign-in.inactive',
  })
  const page = await begun(server, newcomer)
  expect(await page.call('password/', { password: 'First-given-83' })).toMatchObject({ code: 'password.too-weak' })
  expect((await page.call('password/', { password: NEW_PASSWORD })).status).toBe(200)
  for (const step of ['security-questions', 'phone', 'mailbox']) await page.call('skip/', { step })
  expect((await page.call('', {})).status).toBe(200)
  expect((await attempt(server, newcomer.account, 'First-given-83')).status).toBe(401)
  expect((await attempt(server, newcomer.account, NEW_PASSWORD)).status).toBe(200)
})
