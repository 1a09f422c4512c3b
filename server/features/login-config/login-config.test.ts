import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Change } from '#shared/contract/change-history.ts'
import type { LoginConfig, TestedPolicy, testPassword } from '#shared/contract/login-config.ts'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { PASSWORD_CONTEXT } from '#shared/rules/password-strength.ts'
import type { Output } from '../../platform/http/mount.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { callAs, openPortal, type Portal, type Reply } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt, setPolicy } from '../../testing/sign-in.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  const userId = await addPerson(server, { account: 'root', isSuperUser: true, phone: '13800006655' })
  page = await openPortal(server, { userId })
})
afterAll(() => server.close())

const details = async () => (await page.call<LoginConfig>('/login_config/details/')).data
const save = async (changes: object, reset: string[] = []): Promise<Reply<LoginConfig>> =>
  await page.call('/login_config/update/', { body: { version: (await details()).version, changes, reset } })
const startOver = async () => await save({}, Object.keys((await details()).values))

test('saved settings apply on every node, keys are reset to their default, and the history shows the difference', async () => {
  const node = await server.secondNode()
  const minimum = async () => {
    const answer = await callAs<PasswordPolicy>(node, createBrowser(node), '/login_config/password_policy/')
    return answer.data.passwordMinLength
  }
  expect([await details(), await minimum()]).toEqual([{ version: 0, values: {}, setByFile: [], unreadable: [] }, 8])
  const first = await save({ passwordMinLength: 12, lockMinutes: 30 })
  expect(first.data).toEqual({
    version: 1,
    values: { passwordMinLength: 12, lockMinutes: 30 },
    setByFile: [],
    unreadable: [],
  })
  await until(async () => (await minimum()) === 12, 5000)
  expect((await save({}, ['lockMinutes', 'lockAfterFailures'])).data.values).toEqual({ passwordMinLength: 12 })
  const query = '/change_history/query/?targetKind=settings&targetId=login'
  const { records } = (await page.call<{ records: Change[] }>(query)).data
  expect(records.map(({ action, actor, before, after }) => [action, actor?.account, before, after])).toEqual([
    ['settings.change', 'root', { passwordMinLength: 12, lockMinutes: 30 }, { passwordMinLength: 12 }],
    ['settings.change', 'root', {}, { passwordMinLength: 12, lockMinutes: 30 }],
  ])
  await startOver()
})

test('of two editors the second is shown the current state, and nothing is written', async () => {
  const { version } = await details()
  await save({ lockMinutes: 40 })
  const late = await page.call('/login_config/update/', { body: { version, changes: { lockMinutes: 50 } } })
  expect(late).toMatchObject({ status: 409, envelope: { code: 'version.conflict' } })
  expect(late.data).toEqual({ current: await details() })
  expect((await details()).values).toEqual({ lockMinutes: 40 })
  await startOver()
})

const CONTRADICTIONS: [string, Partial<SignInPolicy>, Partial<SignInPolicy>, string, string[]][] = [
  [
    'lengths',
    {},
    { passwordMinLength: 40, passwordMaxLength: 20 },
    'password-lengths',
    ['passwordMinLength', 'passwordMaxLength'],
  ],
  [
    'lengths, the other one saved',
    { passwordMaxLength: 20 },
    { passwordMinLength: 40 },
    'password-lengths',
    ['passwordMinLength'],
  ],
  [
    'the longest lock',
    { lockMode: 'growing', lockMostMinutes: 60 },
    { lockMinutes: 90 },
    'lock-most-too-short',
    ['lockMinutes'],
  ],
  ['idle', {}, { sessionIdleMinutes: 600 }, 'idle-exceeds-session', ['sessionIdleMinutes']],
  ['remembered', {}, { rememberMeLongSecond: 3600 }, 'remembered-too-short', ['rememberMeLongSecond']],
  [
    'the age of passwords',
    { passwordWarnDays: 30 },
    { passwordMaxAgeDays: 30 },
    'password-told-too-early',
    ['passwordMaxAgeDays'],
  ],
  ['category', {}, { secondFactorCategories: ['nobody'] }, 'unknown-category', ['secondFactorCategories']],
  ['application', {}, { secondFactorApplications: ['nothing'] }, 'unknown-application', ['secondFactorApplications']],
]
test.each(CONTRADICTIONS)('a contradiction is rejected at its fields: %s', async (_, stored, changes, code, fields) => {
  await setPolicy(server, stored)
  const before = (await details()).values
  const refused = await save(changes)
  expect([refused.status, refused.envelope.code]).toEqual([422, `login-config.${code}`])
  expect(refused.data).toEqual({ fields })
  expect((await details()).values).toEqual(before)
  await startOver()
})

test('an out-of-range value and an unknown key are named, and errors that existed before block nobody', async () => {
  expect((await save({ lockMinutes: 0 })).data).toMatchObject({ fields: [{ field: 'changes.lockMinutes' }] })
  expect((await save({ nonsense: 1 })).status).toBe(400)
  // A key that isn't named can't be shortened.
  const some = await save({ retention: { login: 500 } })
  expect(some.data).toMatchObject({
    fields: [{ field: 'changes.retention.visit' }, { field: 'changes.retention.audit' }],
  })
  await setPolicy(server, { passwordMinLength: 60, passwordMaxLength: 16 })
  expect((await save({ lockMinutes: 20 })).status).toBe(200)
  await startOver()
})

test('nobody can save settings that would keep them from logging in again', async () => {
  const lockedOut = { status: 409, envelope: { code: 'login-config.locks-out' } }
  const methods = await save({ loginTypes: ['captcha'] })
  expect(methods).toMatchObject({ ...lockedOut, data: { fields: ['loginTypes'] } })
  expect(methods.envelope.message).toContain('Login methods')
  await setPolicy(server, { loginTypes: ['captcha'] })
  expect((await save({ lockMinutes: 20 })).status).toBe(200)
  await startOver()
})

test('a rollback is checked by the same rules', async () => {
  await setPolicy(server, { loginTypes: ['captcha'] })
  await save({ loginTypes: ['user'] })
  const query = '/change_history/query/?targetKind=settings&targetId=login'
  const [last] = (await page.call<{ records: Change[] }>(query)).data.records
  const { version } = await details()
  const body = { at: last?.at, side: 'before', version, reason: 'Went wrong' }
  const refused = await page.call(`/change_history/${last?.id}/roll_back/`, { body })
  expect(refused).toMatchObject({ status: 409, envelope: { code: 'login-config.locks-out' } })
  await startOver()
})

test('a key set by the bootstrap file is rejected by name, changed or reset; the others are saved', async () => {
  const start = (login: Partial<SignInPolicy>) =>
    applyBootstrap(server.platform, { settings: { login } }, { source: 'file', isFile: true })
  await start({ lockMinutes: 25 })
  expect((await details()).setByFile).toEqual(['lockMinutes'])
  for (const refused of [await save({ lockMinutes: 26, passwordMinLength: 9 }), await save({}, ['lockMinutes'])]) {
    expect(refused).toMatchObject({ status: 409, envelope: { code: 'settings.set-by-file' } })
    expect(refused.envelope.message).toContain('login.lockMinutes')
    expect(refused.data).toEqual({ fields: ['lockMinutes'] })
  }
  expect((await save({ lockMinutes: 25, passwordMinLength: 9 })).status).toBe(200)
  await start({})
  expect(await details()).toMatchObject({ setByFile: [], values: { lockMinutes: 25, passwordMinLength: 9 } })
  expect((await save({ lockMinutes: 26 })).status).toBe(200)
  await startOver()
})

test('the tester applies each rule of an unsaved policy, for a person or nobody, and stores nothing', async () => {
  const lines: string[] = []
  const own = await startTestServer({ onLog: (line) => lines.push(line) })
  const userId = await addPerson(own, { account: 'wangfang', name: 'Wang Fang', birthday: '2004-05-06' })
  const root = await openPortal(own, { isSuperUser: true })
  const audited = async () => (await own.platform.sql`select from audit_records`).length
  const before = await audited()
  const lengths = { passwordMinLength: 20, passwordMaxLength: 64 }
  const words: Omit<TestedPolicy, keyof typeof lengths | 'passwordLevel' | 'passwordHistory'> = {
    passwordContext: [...PASSWORD_CONTEXT],
    passwordBlockWords: [],
    passwordMaxAgeDays: 0,
    passwordRules: [],
  }
  const policy: TestedPolicy = { ...lengths, ...words, passwordLevel: 2, passwordHistory: 5 }
  const outcomes = async (body: object) => {
    const { data } = await root.call<Output<typeof testPassword>>('/login_config/test_password/', { body })
    return Object.fromEntries(data.rules.map(({ rule, outcome }) => [rule, outcome]))
  }
  const password = 'Wangfang-20040506'
  expect(await outcomes({ password, policy })).toEqual({
    'too-short': 'failed',
    'too-long': 'passed',
    'no-digit': 'passed',
    'no-letter': 'passed',
    'contains-account': 'not-tested',
    'contains-name': 'not-tested',
    'contains-phone': 'not-tested',
    'contains-birthday': 'not-tested',
    'contains-institution': 'passed',
    common: 'passed',
    former: 'not-tested',
  })
  expect(await outcomes({ password, policy, userId })).toMatchObject({
    'contains-account': 'failed',
    'contains-name': 'failed',
    'contains-phone': 'not-tested',
    'contains-birthday': 'failed',
  })
  const blocking = { ...policy, passwordBlockWords: ['FANG 2004'] }
  expect(await outcomes({ password, policy: blocking })).toMatchObject({ blocked: 'failed', common: 'passed' })
  const nobody = { password, policy, userId: '00000000-0000-7000-8000-000000000000' }
  expect((await root.call('/login_config/test_password/', { body: nobody })).status).toBe(404)
  expect(lines.join()).not.toContain(password)
  expect(await audited()).toBe(before)
  await own.close()
})

test('a new password may not contain a word that the institution blocks, in any spelling, and the list is not revealed', async () => {
  expect((await save({ passwordBlockWords: ['--'] })).status).toBe(400)
  expect((await save({ passwordBlockWords: ['Red Gate', '红门'] })).status).toBe(200)
  const userId = await addPerson(server, { account: 'hanmeimei' })
  const person = await openPortal(server, { userId })
  const rulesOf = async (password: string) => {
    const body = { password, subject: { kind: 'session' } }
    return (await person.call<{ rules: string[] }>('/login_config/judge_password/', { body })).data.rules
  }
  expect(await rulesOf('my-rED.gate-7731')).toEqual(['blocked'])
  expect(await rulesOf('Quiet-红门-7731')).toEqual(['blocked'])
  expect(await rulesOf('Quiet-lake-7731')).toEqual([])
  const body = { oldPassword: PASSWORD, newPassword: 'my-rED.gate-7731' }
  const refused = await person.call(`/user_information/${userId}/update_password/`, { body })
  expect(refused).toMatchObject({ status: 422, data: { rules: ['blocked'] } })
  const shown = await person.call('/login_config/password_policy/')
  expect(JSON.stringify(shown.data)).not.toMatch(/gate/i)
  await startOver()
})

test('an unreadable part of a stored document has its default, everything else applies, and saving removes it', async () => {
  await save({ lockMinutes: 30 })
  const broken = { passwordMinLength: 'twelve', secondFactorCategories: [7], ofAnotherVersion: 1 }
  await server.platform
    .sql`update settings set value = value || ${JSON.stringify(broken)}::text::jsonb where name = 'login'`
  await server.platform.sql`select pg_notify('gatehouse_cache', 'settings')`
  const minimum = async () =>
    (await callAs<PasswordPolicy>(server, createBrowser(server), '/login_config/password_policy/')).data
      .passwordMinLength
  await until(async () => (await minimum()) === 8, 5000)
  await addPerson(server, { account: 'newcomer' })
  expect((await attempt(server, 'newcomer')).status).toBe(200)
  const seen = await details()
  expect(seen).toMatchObject({
    values: { lockMinutes: 30 },
    unreadable: ['passwordMinLength', 'secondFactorCategories'],
  })
  expect((await page.call('/access_rule/query/')).status).toBe(200)
  const predicted = await page.call('/policy_impact/login_config/', {
    body: { changes: { loginTypes: ['user'] }, reset: [] },
  })
  expect(predicted.status).toBe(200)
  const { data } = await save({ secondFactorCategories: [] })
  expect(data).toMatchObject({ values: { lockMinutes: 30, secondFactorCategories: [] }, unreadable: [] })
  const [row] = await server.platform.sql`select value from settings where name = 'login'`
  expect(row?.['value']).toEqual({ lockMinutes: 30, secondFactorCategories: [], ofAnotherVersion: 1 })
  await startOver()
})
