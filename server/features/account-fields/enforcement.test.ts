import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { AccountSecurity } from '#shared/contract/account-security.ts'
import type { PersonalData } from '#shared/contract/profile.ts'
import { addNewcomer, begun, NEW_PASSWORD } from '../../testing/activation.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setFieldRules } from '../../testing/sign-in.ts'

let server: TestServer
let root: Portal
let own: Portal
let id: string
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
  root = await openPortal(server, { isSuperUser: true })
  id = await addPerson(server, { account: 'lilei', phone: '13800007755', mailbox: 'lilei@example.edu' })
  own = await openPortal(server, { userId: id })
})
afterAll(() => server.close())
afterEach(async () => {
  const { sql, cache } = server.platform
  await sql`delete from settings where name = 'accountFields'`
  await cache.invalidate(sql, 'settings')
})

const refusal = (problem: string, field: string) => ({
  envelope: { code: `account-field.${problem}` },
  data: { fields: [field] },
})
const versionOf = async () => {
  const [row] = await server.platform.sql<{ version: number }[]>`select version from users where id = ${id}`
  return row?.version
}
const change = async (part: string, body: object) =>
  await own.call(`/user_information/${id}/user_${part}/`, { body: { ...body, version: await versionOf() } })
const edit = async (fields: object) =>
  await root.call(`/user_information/${id}/update/`, { body: { ...fields, version: await versionOf() } })
const problemsOf = (answer: { data: unknown }) =>
  ((answer.data as { fields?: { field: string }[] }).fields ?? []).map(({ field }) => field)

test('people edit what the rules allow, in the required format, and can’t clear a required field', async () => {
  await setFieldRules(server, {
    'gender.editableBy': 'administrators',
    'nickname.required': 'always',
    'nickname.format': { pattern: '[a-z]+', minLength: 2, maxLength: 5 },
  })
  expect(await change('gender', { gender: 'male' })).toMatchObject({
    status: 403,
    ...refusal('not-editable', 'gender'),
  })
  for (const [nick, problem] of [
    ['a', 'too-short'],
    ['abcdef', 'too-long'],
    ['ABC', 'format'],
  ] as const)
    expect(await change('nick', { nick })).toMatchObject({ status: 422, ...refusal(problem, 'nickname') })
  expect((await change('nick', { nick: 'abc' })).status).toBe(200)
  const emptied = await change('nick', { nick: '' })
  expect(emptied).toMatchObject({ status: 422, ...refusal('missing', 'nickname') })
  expect(emptied.envelope.message).toContain('Nickname')
  expect((await change('birthday', { birthday: '2001-02-03' })).status).toBe(200)
})

test('a hidden field is answered as if it didn’t exist, and its owner can’t change it', async () => {
  await setFieldRules(server, { 'phone.visibleTo': 'administrators', 'birthday.visibleTo': 'administrators' })
  const { data } = await own.call<PersonalData>(`/user_information/${id}/details/`)
  expect([data.birthday, data.fields.hidden]).toEqual([null, ['phone', 'birthday']])
  expect((await change('birthday', { birthday: '2002-02-03' })).envelope.code).toBe('account-field.not-editable')
  const security = (await own.call<AccountSecurity>('/user_information/account_security/')).data
  expect([security.phone, security.mailbox]).toEqual([null, 'l***@example.edu'])
  expect(security.fields.editable).not.toContain('phone')
  const seen = await root.call<{ phone: string; birthday: string }>(`/user_information/${id}/full_details/`)
  expect(seen.data).toMatchObject({ phone: '+8613800007755', birthday: '2001-02-03' })
})

test('binding and unbinding phone, mailbox and alias follows the same rules', async () => {
  await setFieldRules(server, {
    'phone.editableBy': 'source',
    'mailbox.required': 'always',
    'alias.format': { pattern: 'stu-.*' },
  })
  const at = `/user_information/${id}`
  await own.call('/reauthentication/submit/', { body: { method: 'password', answer: PASSWORD } })
  const bound = await own.call(`${at}/bind_phone/`, { body: { phone: '13800007766', code: '123456' } })
  expect(bound).toMatchObject({ status: 403, ...refusal('not-editable', 'phone') })
  const asked = { purpose: 'bind-phone', phone: '13800007766' }
  expect(await own.call(`${at}/send_phonecaptcha/`, { body: asked })).toMatchObject(refusal('not-editable', 'phone'))
  const taken = await own.call(`${at}/unbind/`, { body: { kind: 'mailbox', lastMethod: true } })
  expect(taken).toMatchObject({ status: 422, ...refusal('missing', 'mailbox') })
  const alias = await own.call(`${at}/bind_alias/`, { body: { alias: 'lilei.cs' } })
  expect(alias).toMatchObject({ status: 422, ...refusal('format', 'alias') })
  expect((await own.call(`${at}/bind_alias/`, { body: { alias: 'stu-lilei' } })).status).toBe(200)
})

test('the rules apply to administrators too, field by field, and unchanged values are not checked', async () => {
  await setFieldRules(server, {
    'name.editableBy': 'source',
    'idNumber.format': 'resident-id',
    'phone.required': 'always',
    'gender.required': 'always',
  })
  const before = await edit({ name: 'Somebody Else', idNumber: '110101199003070000', phone: null })
  expect(before.status).toBe(400)
  expect(problemsOf(before).toSorted()).toEqual(['idNumber', 'name', 'phone'])
  expect((await edit({ idNumber: '11010519491231002X' })).status).toBe(200)
  expect((await edit({ birthday: '2003-02-03' })).status).toBe(200)
  const created = await root.call('/user_information/create/', { body: { account: 'hanmei', name: 'Han Mei' } })
  expect(problemsOf(created).toSorted()).toEqual(['gender', 'phone'])
  const whole = { account: 'hanmei', name: 'Han Mei', gender: 'female', phone: '13800007777' }
  expect((await root.call('/user_information/create/', { body: whole })).status).toBe(200)
})

test('activation requires the contact that the rules require, and skips the one that people may not change', async () => {
  await setFieldRules(server, { 'mailbox.required': 'activation', 'phone.editableBy': 'administrators' })
  const page = await begun(server, await addNewcomer(server))
  const steps = page.state().steps.map(({ step, need }) => `${step} ${need}`)
  expect(steps).toContain('mailbox required')
  expect(steps.some((step) => step.startsWith('phone'))).toBe(false)
  await page.call('password/', { password: NEW_PASSWORD })
  await page.call('skip/', { step: 'security-questions' })
  await setFieldRules(server, { 'mailbox.format': { pattern: '.*@school\\.test' } })
  expect((await page.send('mail', 'me@elsewhere.test')).code).toBe('account-field.format')
})
