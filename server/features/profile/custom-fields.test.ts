import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FieldRuleValues } from '#shared/contract/account-fields.ts'
import { CustomField } from '#shared/contract/custom-fields.ts'
import type { PersonalData, ProfileCompletion } from '#shared/contract/profile.ts'
import { addNewcomer, openActivation } from '../../testing/activation.ts'
import { createBrowser } from '../../testing/browser.ts'
import { addPerson } from '../../testing/people.ts'
import { callAs, openPortal, type Portal, type Reply } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal, setFieldRules, setPolicy } from '../../testing/sign-in.ts'

const field = (given: object) => CustomField.parse({ kind: 'text', name: 'Any', editableBy: 'self', ...given })
const DORM = field({
  key: 'dorm',
  name: 'Dormitory',
  format: { pattern: '[A-Z]\\d+', expected: { en: 'A letter and digits' } },
})
const CARD = field({ key: 'campusCard', name: 'Campus card', isUnique: true, isSensitive: true })
const SECRET = field({ key: 'secretNote', name: 'Note', visibleTo: 'administrators' })
const SOURCED = field({ key: 'cohort', name: 'Cohort', editableBy: 'source' })

let server: TestServer
let page: Portal
let userId: string
let people = 0

beforeAll(async () => {
  server = await startTestServer()
  await setPolicy(server, { addressFailures: 100_000 })
})
afterAll(() => server.close())
beforeEach(async () => {
  await setFieldRules(server, { custom: [DORM, CARD, SECRET, SOURCED] })
  userId = await addPerson(server, { account: `own-${++people}` })
  page = await openPortal(server, { userId })
})

const define = (...custom: CustomField[]) => setFieldRules(server, { custom } satisfies FieldRuleValues)
const look = async () => (await page.call<PersonalData>(`/user_information/${userId}/details/`)).data
const change = async (key: string, value: string | null, more: object = {}) =>
  await page.call<{ value: string | null; version: number }>(`/user_information/${userId}/custom_field/`, {
    body: { key, value, version: (await look()).version, ...more },
  })
const outcome = ({ status, envelope }: Reply) => [status, envelope.code]

test('people see and change the custom fields open to them, and nothing else', async () => {
  expect((await look()).custom.map((one) => [one.field.key, one.isEditable])).toEqual([
    ['dorm', true],
    ['campusCard', true],
    ['cohort', false],
  ])
  expect((await change('dorm', ' A12 ')).data.value).toBe('A12')
  expect((await look()).custom[0]).toMatchObject({ value: 'A12', field: { expected: 'A letter and digits' } })
  expect(outcome(await change('dorm', '12'))).toEqual([422, 'account-field.format'])
  expect(outcome(await change('dorm', 'A1\u200b2'))).toEqual([422, 'account-field.format'])
  expect(outcome(await change('dorm', 'x'.repeat(2001)))).toEqual([400, 'request.invalid'])
  expect(outcome(await change('cohort', '2024'))).toEqual([403, 'account-field.not-editable'])
  expect(outcome(await change('secretNote', 'x'))).toEqual([409, 'version.conflict'])
  expect(outcome(await change('__proto__', 'x'))).toEqual([400, 'request.invalid'])
  expect((await change('dorm', null)).data.value).toBeNull()
  const other = await addPerson(server, { account: `own-${++people}` })
  const stranger = await page.call(`/user_information/${other}/custom_field/`, {
    body: { key: 'dorm', value: 'A1', version: 1 },
  })
  expect(outcome(stranger)).toEqual([403, 'profile.not-yours'])
})

test('two windows, and two people who want the same unique value at once: one is told', async () => {
  const { version } = await look()
  expect((await change('dorm', 'A1', { version })).status).toBe(200)
  expect(outcome(await change('dorm', 'A2', { version }))).toEqual([409, 'version.conflict'])
  const pages = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const id = await addPerson(server, { account: `own-${++people}` })
      return { id, portal: await openPortal(server, { userId: id }) }
    }),
  )
  const answers = await Promise.all(
    pages.map(({ id, portal }) =>
      portal.call(`/user_information/${id}/custom_field/`, { body: { key: 'campusCard', value: 'K1', version: 1 } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const lines = await server.platform.sql`
    select before, after from audit_records where action = 'custom-field.change' and after::text like '%campusCard%'`
  expect([...lines]).toEqual([{ before: null, after: { changed: ['custom.campusCard'] } }])
})

test('a person who lacks a required custom field completes the profile, and no call bypasses it', async () => {
  await define({ ...DORM, required: 'next-login' }, { ...SOURCED, required: 'always' }, { ...CARD, required: 'always' })
  const account = `own-${++people}`
  await addPerson(server, { account })
  const entered = await enterPortal(server, account)
  expect(entered.user).toMatchObject({ profileDue: '1' })
  const own = `/user_information/${entered.user.userId}`
  const refused = await Promise.all([
    entered.call(`${own}/details/`),
    entered.call(`${own}/custom_field/`, { body: { key: 'dorm', value: 'A1', version: 1 } }),
    entered.call(`${own}/app/`),
  ])
  for (const answer of refused) expect(outcome(answer)).toEqual([403, 'session.profile-incomplete'])
  const { data } = await entered.call<ProfileCompletion>('/profile_completion/details/')
  expect(data.missingCustom.map(({ key }) => key)).toEqual(['dorm', 'campusCard'])
  expect(data.customLeftToOthers).toEqual(['Cohort'])
  const save = (custom: object) => entered.call<ProfileCompletion>('/profile_completion/save/', { body: { custom } })
  expect(outcome(await save({ dorm: '  ' }))).toEqual([422, 'account-field.missing'])
  expect(outcome(await save({ dorm: '12', campusCard: 'K7' }))).toEqual([422, 'account-field.format'])
  expect((await save({ dorm: 'A7', cohort: '2020', secretNote: 'x', nothing: 'y' })).data.missingCustom).toHaveLength(1)
  expect((await save({ dorm: 'B8', campusCard: 'K7' })).data.missingCustom).toEqual([])
  const [row] = await server.platform.sql`select custom_values from users where account = ${account}`
  expect(row?.['customValues']).toEqual({ dorm: 'A7', campusCard: 'K7' })
  expect((await entered.call(`${own}/details/`)).status).toBe(200)
})

test('whoever had to fill in a field can’t empty it again, which is said of the field, and their session goes on', async () => {
  await setFieldRules(server, {
    'nickname.required': 'next-login',
    'gender.required': 'always',
    custom: [{ ...DORM, required: 'next-login' }],
  })
  const account = `own-${++people}`
  await addPerson(server, { account })
  const entered = await enterPortal(server, account)
  const own = (call: string, body: object) => entered.call(`/user_information/${entered.user.userId}/${call}`, { body })
  const filled = { nickname: 'Lee', gender: 'male', custom: { dorm: 'A7' } }
  const { version } = (await entered.call<ProfileCompletion>('/profile_completion/save/', { body: filled })).data
  const emptied = [
    [await own('user_nick/', { nick: '', version }), 'nickname'],
    [await own('user_gender/', { gender: 'unknown', version }), 'gender'],
    [await own('custom_field/', { key: 'dorm', value: null, version }), 'custom.dorm'],
  ] as const
  for (const [answer, field] of emptied)
    expect(answer).toMatchObject({
      status: 422,
      envelope: { code: 'account-field.missing' },
      data: { fields: [field] },
    })
  expect((await entered.call('/certification_record/current_login/')).status).toBe(200)
  expect((await own('user_nick/', { nick: 'Lily', version })).status).toBe(200)
})

test('an activation asks for a custom field, which must match the value on file', async () => {
  await define({ ...DORM, askAtActivation: true })
  const newcomer = await addNewcomer(server)
  await server.platform.sql`update users set custom_values = '{"dorm": "A12"}' where id = ${newcomer.userId}`
  const open = openActivation(server)
  const { account, name, idNumber } = newcomer
  const begin = (custom?: object) => open.begin({ account, name, idNumber, ...(custom && { custom }) })
  expect(outcome(await begin())[1]).toBe('activation.refused')
  expect(outcome(await begin({ dorm: 'A13' }))[1]).toBe('activation.refused')
  expect((await begin({ dorm: 'ａ12 ' })).status).toBe(200)
})

test('without a login a requested field shows only what it takes to fill it in, and other fields are not mentioned', async () => {
  const grant = { key: 'grantKind', kind: 'choice', name: 'Grant', choices: [{ code: 'full', name: 'Full' }] }
  await define({ ...DORM, askAtActivation: true, isSensitive: true, editableBy: 'source' }, field(grant))
  const { data } = await callAs<{ custom: object[] }>(server, createBrowser(server), '/activate/query/')
  expect(data.custom).toEqual([
    { name: 'custom.dorm', key: 'dorm', label: DORM.name, kind: 'text', choices: [], expected: 'A letter and digits' },
  ])
})
