import { expect, test } from 'vitest'
import type { PasswordRule } from '#shared/rules/password-strength.ts'
import { addNewcomer, begun } from '../../testing/activation.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson } from '../../testing/people.ts'
import { callAs, type Reply } from '../../testing/portal.ts'
import { recoveryIn } from '../../testing/recovery.ts'
import { testServer } from '../../testing/server.ts'
import { enterPortal } from '../../testing/sign-in.ts'

const JUDGE = '/login_config/judge_password/'
const DEMO = { env: { DEMO: '1' } }

type Judged = Reply<{ rules: PasswordRule[] }>

/** Personal data that a page doesn't know. */
const PRIVATE = { phone: '13800007766', birthday: '2004-05-06', alias: 'moonfox' }
const REFUSED: [string, PasswordRule][] = [
  ['Password1!', 'common'],
  ['Zx-13800007766', 'contains-phone'],
  ['Zx-20040506-q', 'contains-birthday'],
  ['Moonfox-77-q', 'contains-name'],
  ['Gatehouse-77-q', 'contains-institution'],
]

test('a page with a session is shown what the change would reject, including lists and facts that only the server knows', async () => {
  const server = await testServer()
  await addPerson(server, { account: 'lilei', ...PRIVATE, mustChangePassword: true })
  const page = await enterPortal(server, 'lilei')
  expect(page.user.firstLogin).toBe('1')
  const judge = async (password: string) => {
    const reply: Judged = await page.call(JUDGE, { body: { password, subject: { kind: 'session' } } })
    return reply.data.rules
  }
  for (const [password, rule] of REFUSED) {
    expect([password, await judge(password)]).toEqual([password, [rule]])
    const body = { newPassword: password }
    const changed = await page.call(`/user_information/${page.user.userId}/update_password/`, { body })
    expect(changed.data).toEqual({ rules: [rule] })
  }
  expect(await judge('Quiet-lake-7731')).toEqual([])
})

test('so are the pages of a recovery and an activation, by their proof and only in their browser', async () => {
  const server = await testServer(DEMO)
  await addPerson(server, { account: 'hanmei', ...PRIVATE, mailbox: 'hanmei@example.edu' })
  const recovery = recoveryIn(server)
  const proved = await recovery.proved('hanmei', 'mailbox', 'hanmei@example.edu')
  const ofRecovery = { kind: 'recovery', method: 'mailbox', ...proved }
  const newcomer = await addNewcomer(server, { phone: '13800007767', birthday: PRIVATE.birthday, alias: 'mooncat' })
  const activation = await begun(server, newcomer)
  await activation.send('sms')
  const ofActivation = { kind: 'activation', proof: activation.state().proof }
  const judge = (browser: typeof recovery.browser, password: string, subject: object): Promise<Judged> =>
    callAs(server, browser, JUDGE, { body: { password, subject } })
  for (const [password, rule] of REFUSED) {
    expect((await judge(recovery.browser, password, ofRecovery)).data.rules, password).toEqual([rule])
  }
  const stranger = createBrowser(server)
  expect((await judge(stranger, 'Zx-13800007766', ofRecovery)).envelope.code).toBe('password-recovery.expired')
  const forged = { ...ofRecovery, proof: 'x' }
  expect((await judge(recovery.browser, 'Zx-13800007766', forged)).envelope.code).toBe('password-recovery.expired')
  // Before the identity is proved, nothing is revealed about the person.
  expect((await judge(activation.browser, 'Zx-20040506-q', ofActivation)).envelope.code).toBe('activation.out-of-step')
  expect((await judge(stranger, 'Zx-20040506-q', ofActivation)).envelope.code).toBe('activation.expired')
  const session = { kind: 'session' }
  expect((await judge(stranger, 'Zx-20040506-q', session)).envelope.code).toBe('session.required')
  // The check consumed nothing.
  expect((await recovery.set(proved.id, 'mailbox', proved.proof)).status).toBe(200)
})

test('an activation with a proved identity is told, and the setup of the first administrator by its own input', async () => {
  const server = await testServer()
  const page = await begun(server, await addNewcomer(server, { birthday: PRIVATE.birthday, alias: 'moonfox' }))
  const judge = async (password: string, subject: object) => {
    const reply: Judged = await callAs(server, page.browser, JUDGE, { body: { password, subject } })
    return reply.data.rules
  }
  const activation = { kind: 'activation', proof: page.state().proof }
  expect(await judge('Zx-20040506-q', activation)).toEqual(['contains-birthday'])
  expect(await judge('Moonfox-77-q', activation)).toEqual(['contains-name'])
  const typed = { kind: 'typed', account: 'registrar', name: '李雷雷' }
  expect(await judge('Registrar-77-q', typed)).toEqual(['contains-account'])
  expect(await judge('Zx-77-李雷雷', typed)).toEqual(['contains-name'])
  expect(await judge('Password1!', typed)).toEqual(['common'])
  expect(await judge('Quiet-lake-7731', typed)).toEqual([])
})

test('a candidate is in no log, and birthdays can not be tried out in an unattended session', async () => {
  const lines: string[] = []
  const server = await testServer({ onLog: (line) => lines.push(String(line)) })
  await addPerson(server, { account: 'lilei', ...PRIVATE })
  const page = await enterPortal(server, 'lilei')
  const judge = () => page.call(JUDGE, { body: { password: 'Silent-Heron-88', subject: { kind: 'session' } } })
  expect((await judge()).status).toBe(200)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('\n')).not.toMatch(/Silent-Heron/i)
  for (let times = 1; times < 300; times += 1) {
    await server.platform.state.increment('password-judgement', page.user.userId, 600)
  }
  expect((await judge()).envelope.code).toBe('request.too-many')
  server.advance(601)
  expect((await judge()).status).toBe(200)
})
