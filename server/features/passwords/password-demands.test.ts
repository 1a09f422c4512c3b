import { expect, test } from 'vitest'
import type { testPassword } from '#shared/contract/login-config.ts'
import type { PasswordPolicy } from '#shared/contract/passwords.ts'
import type { ImpactFigure } from '#shared/contract/policy-impact.ts'
import { type PasswordDemand, SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import type { Output } from '../../platform/http/mount.ts'
import { addNewcomer, openActivation } from '../../testing/activation.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { openPortal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { enterPortal, setPolicy } from '../../testing/sign-in.ts'

const DAY = 24 * 3600
const demand = (changes: Partial<PasswordDemand>): PasswordDemand => ({
  categories: [],
  administrators: false,
  level: null,
  minLength: null,
  history: null,
  maxAgeDays: null,
  ...changes,
})
const DEMANDS = [
  demand({ categories: ['staff'], minLength: 12, maxAgeDays: 90 }),
  demand({ categories: ['staff', 'student'], minLength: 10, level: 4, maxAgeDays: 180 }),
  demand({ administrators: true, minLength: 16, history: 9, maxAgeDays: 30 }),
]

async function categorize(server: TestServer, account: string, code: string) {
  await server.platform.sql`
    update users set category_id = (select id from user_categories where code = ${code}) where account = ${account}`
}

async function openSchool() {
  const server = await testServer()
  await server.platform.sql`
    insert into user_categories (id, code, name)
    select gen_random_uuid(), c, c from unnest(array['staff', 'student']) as c
    where not exists (select from user_categories k where k.code = c)`
  for (const account of ['teacher', 'pupil', 'guest']) await addPerson(server, { account })
  await categorize(server, 'teacher', 'staff')
  await categorize(server, 'pupil', 'student')
  await addPerson(server, { account: 'root', isSuperUser: true })
  return server
}

test('the strictest rule of each field applies, in the form, in the tester and where a password is set', async () => {
  const server = await openSchool()
  await setPolicy(server, { passwordRules: DEMANDS })
  const heldBy = async (account: string) => {
    const page = await enterPortal(server, account)
    const { passwordMinLength, passwordLevel, passwordHistory } = (
      await page.call<PasswordPolicy>('/login_config/password_policy/')
    ).data
    return [passwordMinLength, passwordLevel, passwordHistory]
  }
  expect(await heldBy('guest')).toEqual([8, 3, 5])
  expect(await heldBy('pupil')).toEqual([10, 4, 5])
  expect(await heldBy('teacher')).toEqual([12, 4, 5])
  expect(await heldBy('root')).toEqual([16, 3, 9])

  const root = await openPortal(server, { isSuperUser: true })
  const [{ id: userId } = { id: '' }] = await server.platform.sql<{ id: string }[]>`
    select id from users where account = 'teacher'`
  const all = SignInPolicy.parse({ passwordRules: DEMANDS })
  const { passwordMinLength, passwordMaxLength, passwordLevel, passwordHistory, passwordContext } = all
  const { passwordBlockWords, passwordMaxAgeDays, passwordRules } = all
  const policy = {
    passwordMinLength,
    passwordMaxLength,
    passwordLevel,
    passwordHistory,
    passwordContext,
    passwordBlockWords,
    passwordMaxAgeDays,
    passwordRules,
  }
  const body = { password: 'quiet-lk-73', userId, policy }
  const { data } = await root.call<Output<typeof testPassword>>('/login_config/test_password/', { body })
  expect(data.holds).toEqual({ passwordMinLength: 12, passwordLevel: 4, passwordHistory: 5, passwordMaxAgeDays: 90 })
  const failed = data.rules.filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule)
  expect(failed).toEqual(['too-short', 'no-upper'])

  const page = await enterPortal(server, 'teacher')
  const change = async (newPassword: string) =>
    await page.call(`/user_information/${page.user.userId}/update_password/`, {
      body: { oldPassword: PASSWORD, newPassword },
    })
  const refused = await change('Quiet-lk-73')
  expect(refused.data).toEqual({ rules: ['too-short'] })
  expect(refused.envelope.message).toContain('12')
  expect((await change('Quiet-lake-73-fox')).status).toBe(200)
})

test('an activation applies the rules for the newcomer', async () => {
  const server = await openSchool()
  await setPolicy(server, { passwordRules: DEMANDS })
  const { account, name, idNumber } = await addNewcomer(server)
  await categorize(server, account, 'staff')
  const page = openActivation(server)
  await page.begin({ account, name, idNumber })
  expect((await page.call('password/', { password: 'Quiet-lk-73' })).data).toEqual({ rules: ['too-short'] })
})

test('the shortest maximum age applies at login, and the page says beforehand who is affected', async () => {
  const server = await openSchool()
  server.advance(100 * DAY)
  const page = await openPortal(server, { isSuperUser: true })
  const { data } = await page.call<{ figures: ImpactFigure[] }>('/policy_impact/login_config/', {
    body: { changes: { passwordRules: DEMANDS } },
  })
  const [figure] = data.figures
  const predicted = figure?.rows.map(({ person }) => person.account).toSorted()
  await setPolicy(server, { passwordRules: DEMANDS })
  const limited: string[] = []
  for (const account of ['guest', 'pupil', 'root', 'teacher'])
    if ((await enterPortal(server, account)).user.firstLogin === '1') limited.push(account)
  expect([figure?.key, figure?.count, predicted]).toEqual(['passwords-too-old', 2, limited])
  expect(limited).toEqual(['root', 'teacher'])
})

test('a rule for nobody, one that requires nothing, and one beyond the longest password are rejected at the field', async () => {
  const server = await openSchool()
  const page = await openPortal(server, { isSuperUser: true })
  const save = async (rule: Partial<PasswordDemand>, more: object = {}) => {
    const changes = { passwordRules: [demand(rule)], ...more }
    return await page.call<{ fields: unknown[] }>('/login_config/update/', { body: { version: 0, changes } })
  }
  const field = { field: 'changes.passwordRules.0' }
  expect((await save({ minLength: 12 })).data).toMatchObject({ fields: [field] })
  expect((await save({ administrators: true })).data).toMatchObject({ fields: [field] })
  const short = await save({ administrators: true, minLength: 30 }, { passwordMaxLength: 20 })
  expect([short.envelope.code, short.data.fields]).toEqual([
    'login-config.password-lengths',
    ['passwordRules', 'passwordMaxLength'],
  ])
  const unknown = await save({ categories: ['nobody'], level: 4 })
  expect([unknown.envelope.code, unknown.data.fields]).toEqual(['login-config.unknown-category', ['passwordRules']])
})
