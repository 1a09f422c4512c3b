import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { StoredFieldRules } from '#shared/contract/account-fields.ts'
import type { Change } from '#shared/contract/change-history.ts'
import type { UserDetails } from '#shared/contract/users.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal, type Reply } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const DORM = { key: 'dorm', kind: 'text', name: 'Dormitory', names: { en: 'Hall of residence' } } as const
const CARD = { key: 'campusCard', kind: 'text', name: 'Campus card', isUnique: true } as const
const JOINED = { key: 'joined', kind: 'date', name: 'Joined on' } as const
const GRANT = {
  key: 'grantKind',
  kind: 'choice',
  name: 'Grant',
  choices: [
    { code: 'full', name: 'Full' },
    { code: 'half', name: 'Half' },
  ],
} as const

let server: TestServer
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  page = await openPortal(server, { userId: await addPerson(server, { account: 'root', isSuperUser: true }) })
})
afterAll(() => server.close())
afterEach(async () => {
  await server.platform.sql`update users set custom_values = null`
  await server.platform.sql`delete from settings where name = 'accountFields'`
  await server.platform.cache.invalidate(server.platform.sql, 'settings')
})

const stored = async () => (await page.call<StoredFieldRules>('/account_field_rules/details/')).data
const define = async (...custom: object[]): Promise<Reply<StoredFieldRules>> =>
  await page.call('/account_field_rules/update/', { body: { version: (await stored()).version, changes: { custom } } })
const details = async (id: string) => (await page.call<UserDetails>(`/user_information/${id}/full_details/`)).data
const update = async (id: string, custom: object) =>
  await page.call<UserDetails>(`/user_information/${id}/update/`, {
    body: { custom, version: (await details(id)).version },
  })
let people = 0
const create = (custom: object) =>
  page.call<{ id: string }>('/user_information/create/', {
    body: { account: `c-${++people}`, name: 'Lin', custom },
  })
const outcome = ({ status, envelope }: Reply) => [status, envelope.code]
const fieldsOf = ({ data }: Reply<unknown>) =>
  (data as { fields: { field: string }[] }).fields.map(({ field }) => field)

test('fields are defined, filled in for a new person, changed, and labelled in the caller’s language', async () => {
  expect((await define(DORM, JOINED, GRANT)).status).toBe(200)
  const { data } = await create({ dorm: ' 3-201 ', joined: '2024-09-01', grantKind: 'half' })
  expect((await details(data.id)).custom).toEqual({ dorm: '3-201', joined: '2024-09-01', grantKind: 'half' })
  expect((await update(data.id, { dorm: null, joined: '2024-09-02' })).data.custom).toEqual({
    joined: '2024-09-02',
    grantKind: 'half',
  })
  const { data: fields } = await page.call<{ custom: { label: string }[] }>('/person_field/query/')
  expect(fields.custom.map(({ label }) => label)).toEqual(['Hall of residence', 'Joined on', 'Grant'])
})

test.each<[string, object, string]>([
  ['a day that is none', { joined: '2024-02-30' }, 'custom.joined'],
  ['a choice that is none', { grantKind: 'quarter' }, 'custom.grantKind'],
  ['an unknown field', { nothing: 'x' }, 'custom.nothing'],
  ['a text with a sign that nobody sees', { dorm: 'a\u202eb' }, 'custom.dorm'],
  ['a text that is too long', { dorm: 'x'.repeat(501) }, 'custom.dorm'],
])('refused, naming the field: %s', async (_, custom, field) => {
  await define(DORM, JOINED, GRANT)
  const refused = await create(custom)
  expect(outcome(refused)).toEqual([400, 'request.invalid'])
  expect(fieldsOf(refused)).toEqual([field])
})

test('the same rules apply as to built-in fields: who edits, what is required, which format', async () => {
  const code = { pattern: '[A-Z]\\d{3}', minLength: 4, maxLength: 4, expected: { en: 'A letter and three digits' } }
  await define({ ...DORM, format: code, required: 'always' })
  expect(fieldsOf(await create({}))).toEqual(['custom.dorm'])
  expect(fieldsOf(await create({ dorm: 'A12' }))).toEqual(['custom.dorm'])
  const { data } = await create({ dorm: 'A123' })
  expect(fieldsOf(await update(data.id, { dorm: null }))).toEqual(['custom.dorm'])
  await define({ ...DORM, editableBy: 'source' })
  expect(fieldsOf(await update(data.id, { dorm: 'B123' }))).toEqual(['custom.dorm'])
  expect((await update(data.id, { dorm: 'A123' })).status).toBe(200)
})

test('a unique field never gets the same value twice, not even from parallel requests', async () => {
  await define(CARD)
  await create({ campusCard: 'K-1' })
  expect(fieldsOf(await create({ campusCard: 'K-1' }))).toEqual(['custom.campusCard'])
  const answers = await Promise.all(Array.from({ length: 6 }, () => create({ campusCard: 'K-2' })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('no value is lost silently: a removed field can be restored, a used choice stays, and a used key is not reassigned', async () => {
  await define(DORM, GRANT)
  const { data } = await create({ dorm: '3-201', grantKind: 'half' })
  expect(await define(GRANT)).toMatchObject({
    status: 409,
    envelope: {
      code: 'account-fields.custom-holds-values',
      message: expect.stringContaining('1 person still has a value'),
    },
    data: { count: 1 },
  })
  expect((await define({ ...DORM, isRemoved: true }, GRANT)).status).toBe(200)
  expect((await details(data.id)).custom).toEqual({ grantKind: 'half' })
  expect((await update(data.id, { grantKind: 'full' })).status).toBe(200)
  await define(DORM, GRANT)
  expect((await details(data.id)).custom).toEqual({ dorm: '3-201', grantKind: 'full' })
  const [full, half] = GRANT.choices
  expect(outcome(await define(DORM, { ...GRANT, choices: [half] }))).toEqual([
    409,
    'account-fields.custom-choice-in-use',
  ])
  expect((await define(DORM, { ...GRANT, choices: [{ ...full, isOffered: false }, half] })).status).toBe(200)
  expect((await update(data.id, { grantKind: 'full', dorm: '4' })).status).toBe(200)
  await update(data.id, { grantKind: 'half' })
  expect(fieldsOf(await update(data.id, { grantKind: 'full' }))).toEqual(['custom.grantKind'])
  expect(outcome(await define({ ...DORM, kind: 'date' }, GRANT))).toEqual([422, 'account-fields.custom-kind-fixed'])
})

test.each<[string, object]>([
  ['a claim', { ...DORM, key: 'sub' }],
  ['an attribute of the product', { ...DORM, key: 'mailbox' }],
  ['the same in other letters', { ...DORM, key: 'userID' }],
  ['what every object knows', { ...DORM, key: 'constructor' }],
  ['no word', { ...DORM, key: 'a-b' }],
])('a key is refused that is %s', async (_, field) => {
  expect((await define(field)).status).toBe(400)
})

test('a field can become unique only if no value is shared, and an invalid pattern is named', async () => {
  await define(DORM)
  await create({ dorm: '1' })
  await create({ dorm: '1' })
  expect(outcome(await define({ ...DORM, isUnique: true }))).toEqual([409, 'account-fields.custom-not-unique'])
  expect(outcome(await define({ ...DORM, format: { pattern: '(a)\\1' } }))).toEqual([422, 'account-fields.bad-pattern'])
})

test('a deleted person can’t be restored with a value that somebody else has now', async () => {
  await define(CARD)
  const { data } = await create({ campusCard: 'K-1' })
  await page.call(`/user_information/${data.id}/delete/`, { body: { reason: '' } })
  const other = await create({ campusCard: 'K-1' })
  expect(other.status).toBe(200)
  const restore = () => page.call(`/user_information/${data.id}/restore/`, { body: { reason: '' } })
  const refused = await restore()
  expect(outcome(refused)).toEqual([409, 'user.value-taken'])
  expect(refused.envelope.message).toContain('Campus card')
  await update(other.data.id, { campusCard: 'K-2' })
  expect((await restore()).status).toBe(200)
})

test('a change is recorded with its former value, of a sensitive field only that it changed', async () => {
  await define(DORM, { ...CARD, isSensitive: true })
  const { data } = await create({ dorm: '1', campusCard: 'K-9' })
  await update(data.id, { dorm: '2', campusCard: 'K-8' })
  const [line] = await server.platform.sql`
    select before, after from audit_records where action = 'account.update' and target_id = ${data.id}`
  expect(line).toMatchObject({
    before: { 'custom.dorm': '1' },
    after: { 'custom.dorm': '2', changed: ['custom.campusCard'] },
  })
  expect(JSON.stringify(line)).not.toContain('K-')
  const { data: history } = await page.call<{ records: Change[] }>(
    `/change_history/query/?targetKind=user&targetId=${data.id}`,
  )
  expect(history.records[0]?.custom).toEqual({ 'custom.dorm': 'Hall of residence', 'custom.campusCard': 'Campus card' })
})

test.each(['toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'constructor', 'TOSTRING'.toLowerCase()])(
  'no field can have the key %s: every object would seem to have a value for it',
  async (key) => {
    expect((await define({ ...DORM, key })).status).toBe(400)
  },
)
