import { expect, test } from 'vitest'
import { CustomField } from '#shared/contract/custom-fields.ts'
import type { ImpactFigure } from '#shared/contract/policy-impact.ts'
import { addPerson, logIn } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { reauthenticate, setUpApp } from '../../testing/second-factors.ts'
import { testServer } from '../../testing/server.ts'
import { enterPortal, setFieldRules, setPolicy } from '../../testing/sign-in.ts'

const predict = async (page: Portal, of: string, changes: object) => {
  const { data, envelope } = await page.call<{ figures: ImpactFigure[] }>(`/policy_impact/${of}/`, {
    body: { changes },
  })
  if (envelope.state !== 200) throw new Error(envelope.code)
  return Object.fromEntries(
    data.figures.map(({ key, field, count, isAtLeast, rows }) => [
      field ? `${key} ${field}` : key,
      [count, isAtLeast, rows.map(({ person }) => person.account).toSorted()],
    ]),
  )
}

test('people who would newly need a second factor are counted, with those who have none and the logins affected', async () => {
  const server = await testServer()
  const root = await openPortal(server, { isSuperUser: true, account: 'root' })
  for (const code of ['student', 'staff']) await root.call('/user_category/create/', { body: { code, name: code } })
  for (const account of ['ann', 'bob']) await addPerson(server, { account, category: 'student' })
  await addPerson(server, { account: 'eve', category: 'staff' })
  await addPerson(server, { account: 'gone', category: 'student', enabled: false })
  await setPolicy(server, { secondFactorSuperUsers: false })
  const page = await enterPortal(server, 'ann')
  await reauthenticate(page)
  await setUpApp(server, page)
  await logIn(server, 'bob')
  server.advance(1)
  expect(await predict(root, 'login_config', { secondFactorCategories: ['student'] })).toMatchObject({
    'people-factor': [2, false, ['ann', 'bob']],
    'people-factorless': [1, false, ['bob']],
    'logins-factor': [1, false, ['bob']],
  })
  expect(await predict(root, 'login_config', { secondFactorSuperUsers: true })).toMatchObject({
    'people-factor': [1, false, ['root']],
  })
  await setPolicy(server, { secondFactorCategories: ['student'] })
  const both = await predict(root, 'login_config', { secondFactorCategories: ['student', 'staff'] })
  expect(both['people-factor']).toEqual([1, false, ['eve']])
  // People who were already asked are not affected by the change.
  const every = await predict(root, 'login_config', { secondFactorOffCampus: true })
  expect(every['people-factor']).toEqual([2, false, ['eve', 'root']])
  const none = await predict(root, 'login_config', { secondFactorCategories: [] })
  expect(none).toMatchObject({ 'people-factor': [0, false, []], 'logins-factor-spared': [1, false, ['bob']] })
})

test('people who violate a field rule are counted before saving, by field and with their names', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  await addPerson(server, { account: '20260001', phone: '13900006611', mailbox: 'a@example.edu' })
  await addPerson(server, { account: 'T-100', mailbox: 'b@example.com' })
  await addPerson(server, { account: 'new', activated: false })
  const format = { pattern: '.*@example[.]edu', minLength: 0, maxLength: 100 }
  expect(await predict(page, 'account_fields', { 'phone.required': 'next-login', 'mailbox.format': format })).toEqual({
    'people-lacking phone': [3, false, ['T-100', 'new', 'root']],
    'people-misformed mailbox': [1, false, ['T-100']],
  })
  expect(await predict(page, 'account_fields', { 'phone.required': 'activation' })).toEqual({
    'people-lacking phone': [1, false, ['new']],
  })
  expect(await predict(page, 'account_fields', { 'account.format': 'digits' })).toEqual({
    'people-misformed account': [3, false, ['T-100', 'new', 'root']],
  })
  await setFieldRules(server, { 'phone.required': 'activation' })
  expect(await predict(page, 'account_fields', { 'phone.required': 'always' })).toEqual({
    'people-lacking phone': [2, false, ['T-100', 'root']],
  })
  expect(await predict(page, 'account_fields', { 'phone.editableBy': 'nobody' })).toEqual({})
  await setFieldRules(server, { 'phone.required': 'always', 'phone.editableBy': 'administrators' })
  expect(await predict(page, 'account_fields', { 'phone.editableBy': 'self' })).toEqual({
    'people-lacking phone': [3, false, ['T-100', 'new', 'root']],
  })
})

test('people who violate the rules of a custom field are counted too, under its name', async () => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  const desk = { key: 'desk', kind: 'text', name: 'Desk', required: 'never' }
  await setFieldRules(server, { custom: [CustomField.parse(desk)] })
  const values: [string, object | null][] = [
    ['ann', { desk: 'A-1' }],
    ['bob', { desk: '17' }],
    ['cat', null],
  ]
  for (const [account, custom] of values) {
    const id = await addPerson(server, { account })
    if (custom)
      await server.platform
        .sql`update users set custom_values = ${JSON.stringify(custom)}::text::jsonb where id = ${id}`
  }
  const draft = { ...desk, required: 'next-login', format: { pattern: '[A-Z]-\\d' } }
  const locker = { key: 'locker', kind: 'date', name: 'Locker since', required: 'always' }
  expect(await predict(page, 'account_fields', { custom: [draft, locker] })).toEqual({
    'people-lacking custom.desk': [2, false, ['cat', 'root']],
    'people-lacking custom.locker': [4, false, ['ann', 'bob', 'cat', 'root']],
    'people-misformed custom.desk': [1, false, ['bob']],
  })
  const { data } = await page.call<{ figures: ImpactFigure[] }>('/policy_impact/account_fields/', {
    body: { changes: { custom: [draft] } },
  })
  expect(data.figures.map(({ fieldLabel }) => fieldLabel)).toEqual(['Desk', 'Desk'])
  expect(await predict(page, 'account_fields', { custom: [{ ...draft, isRemoved: true }] })).toEqual({})
})
