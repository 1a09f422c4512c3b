import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FieldRuleValues, StoredFieldRules } from '#shared/contract/account-fields.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal, type Reply } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt, onlyLoginNames, setFieldRules } from '../../testing/sign-in.ts'
import { applyBootstrap } from '../bootstrap/index.ts'

let server: TestServer
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  const userId = await addPerson(server, { account: 'root', isSuperUser: true, phone: '13800006655' })
  page = await openPortal(server, { userId })
})
afterAll(() => server.close())

const details = async () => (await page.call<StoredFieldRules>('/account_field_rules/details/')).data
const save = async (changes: FieldRuleValues, more: object = {}): Promise<Reply<StoredFieldRules>> =>
  await page.call('/account_field_rules/update/', { body: { version: (await details()).version, changes, ...more } })
const startOver = async () => await save({}, { reset: Object.keys((await details()).values) })
const start = (settings: object, on = server) =>
  applyBootstrap(on.platform, { settings: { ...settings } }, { source: 'file', isFile: true })

test('rules are saved and reset to their defaults, and the second of two editors gets the stored rules', async () => {
  expect(await details()).toEqual({ version: 0, values: {}, setByFile: [] })
  const format = { pattern: '[A-Z]{2}\\d+', minLength: 3, maxLength: 20 }
  const first = await save({ 'idNumber.format': format, 'phone.required': 'always' })
  expect(first.data.values).toEqual({ 'idNumber.format': format, 'phone.required': 'always' })
  const late = await page.call('/account_field_rules/update/', { body: { version: 0, changes: {} } })
  expect(late).toMatchObject({ status: 409, envelope: { code: 'version.conflict' }, data: { current: first.data } })
  expect((await save({}, { reset: ['phone.required'] })).data.values).toEqual({ 'idNumber.format': format })
  await startOver()
})

test.each<[string, object, object]>([
  ['a rule that a field does not have', { 'gender.isLoginName': true }, { status: 400 }],
  ['a choice that is none', { 'name.required': 'never' }, { status: 400 }],
  ['a pattern that does not compile', { 'name.format': { pattern: '(' } }, badPattern('name.format')],
  ['one that looks back', { 'name.format': { pattern: '(a)\\1' } }, badPattern('name.format')],
  ['one that is too large', { 'name.format': { pattern: '(a?){900}(b?){900}' } }, badPattern('name.format')],
  ['one that is too long', { 'name.format': { pattern: 'a'.repeat(501) } }, { status: 400 }],
  ['lengths the wrong way round', { 'name.format': { pattern: '', minLength: 9, maxLength: 3 } }, { status: 400 }],
  ['no login name at all', onlyLoginNames(), { status: 422, envelope: { code: 'account-fields.no-login-name' } }],
  [
    'an activation that asks nothing but the account',
    { 'name.askAtActivation': false, 'idNumber.askAtActivation': false },
    { status: 422, envelope: { code: 'account-fields.nothing-asked' } },
  ],
])('refused: %s', async (_, changes, refusal) => {
  expect(await save(changes)).toMatchObject(refusal)
  expect((await details()).values).toEqual({})
})

function badPattern(field: string) {
  return { status: 422, envelope: { code: 'account-fields.bad-pattern' }, data: { fields: [field] } }
}

test('a change of login names that would lock its author out is refused unless forced', async () => {
  const names = onlyLoginNames('alias', 'mailbox')
  const fields = ['account.isLoginName', 'phone.isLoginName']
  const refused = await save(names)
  expect(refused).toMatchObject({ status: 409, envelope: { code: 'policy.locks-out' }, data: { fields } })
  expect((await save(onlyLoginNames('phone'))).status).toBe(200)
  await startOver()
  expect((await save(names, { force: true })).status).toBe(200)
  expect(await attempt(server, 'root')).toMatchObject({ status: 401 })
  const [waiting] = (await page.call<{ records: { id: string }[] }>('/unconfirmed_change/query/')).data.records
  expect(waiting).toMatchObject({ targetId: 'accountFields', fields })
  await page.call(`/unconfirmed_change/${waiting?.id}/take_back/`, { body: {} })
  expect((await details()).values).toEqual({})
  expect(await attempt(server, 'root')).toMatchObject({ status: 200 })
})

test('the bootstrap file sets rules by field, and still accepts its former keys', async () => {
  await start({
    accountFields: { phone: { required: 'always', isLoginName: true } },
    login: { loginNames: ['account', 'phone'], lockMinutes: 20 },
    activation: { fields: ['account', 'birthday'] },
  })
  const { values, setByFile } = await details()
  expect(values).toEqual({
    ...onlyLoginNames('account', 'phone'),
    'phone.required': 'always',
    'name.askAtActivation': false,
    'idNumber.askAtActivation': false,
    'birthday.askAtActivation': true,
    'phone.askAtActivation': false,
    'mailbox.askAtActivation': false,
  })
  expect(setByFile.toSorted()).toEqual(Object.keys(values).toSorted())
  const refused = await save({ 'alias.isLoginName': true })
  expect(refused).toMatchObject({ status: 409, envelope: { code: 'settings.set-by-file' } })
  expect(refused.envelope.message).toContain('accountFields.alias.isLoginName')
  expect((await save({ 'alias.required': 'always' })).status).toBe(200)
  const rows = await server.platform.sql`select xmin, * from settings order by name`
  await start({
    accountFields: { phone: { required: 'always' } },
    login: { loginNames: ['phone', 'account'], lockMinutes: 20 },
    activation: { fields: ['birthday', 'account'] },
  })
  expect(await server.platform.sql`select xmin, * from settings order by name`).toEqual(rows)
  await start({})
  await startOver()
})

test.each<[string, object, RegExp]>([
  ['no login name', { login: { loginNames: [] } }, /settings\.login\.loginNames/],
  ['a login name that is none', { login: { loginNames: ['name'] } }, /settings\.login\.loginNames\[0\]/],
  ['a field that is none', { accountFields: { shoe: {} } }, /settings\.accountFields/],
  [
    'a choice that is none',
    { accountFields: { phone: { required: 'yes' } } },
    /settings\.accountFields\.phone\.required/,
  ],
  [
    'a pattern that is none',
    { accountFields: { name: { format: { pattern: '(' } } } },
    /settings\.accountFields\.name\.format/,
  ],
  [
    'two opinions',
    { accountFields: { phone: { isLoginName: true } }, login: { loginNames: ['account'] } },
    /settings\.login\.loginNames.*accountFields\.phone\.isLoginName/,
  ],
])('the bootstrap file is refused for %s, with the place', async (_, settings, place) => {
  await expect(start(settings)).rejects.toThrow(place)
})

test('saved rules apply from the next login', async () => {
  await setFieldRules(server, onlyLoginNames('account'))
  expect(await attempt(server, '13800006655')).toMatchObject({ status: 401 })
  await setFieldRules(server, onlyLoginNames('account', 'phone'))
  expect(await attempt(server, '13800006655')).toMatchObject({ status: 200 })
})
