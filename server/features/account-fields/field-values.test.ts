import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { StoredFieldRules } from '#shared/contract/account-fields.ts'
import type { BackgroundTask } from '#shared/contract/background-tasks.ts'
import { lockSettingsDocument } from '../../platform/settings.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal, type Reply } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { runTasks, taskEnd } from '../../testing/tasks.ts'
import { deleteValuesTask } from './index.ts'

let server: TestServer
let page: Portal
beforeAll(async () => {
  server = await startTestServer()
  page = await openPortal(server, { userId: await addPerson(server, { account: 'root', isSuperUser: true }) })
})
afterAll(() => server.close())

const stored = async () => (await page.call<StoredFieldRules>('/account_field_rules/details/')).data
const define = async (...custom: object[]): Promise<Reply<StoredFieldRules>> =>
  await page.call('/account_field_rules/update/', { body: { version: (await stored()).version, changes: { custom } } })
const keys = async () => (await stored()).values.custom?.map(({ key }) => key)
const DESK = { key: 'desk', kind: 'text', name: 'Desk' } as const
const DORM = { key: 'dorm', kind: 'text', name: 'Dormitory' } as const

const isOver = async (id: string): Promise<BackgroundTask> => {
  const { data } = await page.call<BackgroundTask>(`/background_task/${id}/details/`)
  return data
}

type Tested = { reason: string | null; kept: string | null }
const tryOut = async (body: object) => (await page.call<Tested>('/account_field_rules/test_format/', { body })).data

test.each<[string, object, Tested]>([
  [
    'the product’s own check',
    { field: 'phone', format: 'any', value: '139' },
    { reason: 'Invalid format.', kept: null },
  ],
  [
    'as it would be kept',
    { field: 'phone', format: 'china-mobile', value: '138 0000 0001' },
    { reason: null, kept: '+8613800000001' },
  ],
  ['a preset', { field: 'account', format: 'digits', value: 'a12' }, { reason: 'Invalid format.', kept: null }],
  ['a pattern', { field: 'custom', format: { pattern: '[A-Z]\\d{3}' }, value: 'A123' }, { reason: null, kept: 'A123' }],
  [
    'not the whole of a pattern',
    { field: 'custom', format: { pattern: '[A-Z]' }, value: 'AB' },
    { reason: 'Invalid format.', kept: null },
  ],
  [
    'a length',
    { field: 'nickname', format: { pattern: '', minLength: 3 }, value: 'Li' },
    { reason: 'Too short.', kept: null },
  ],
])('a value is tried on a format that is not saved: %s', async (_, body, answer) => {
  expect(await tryOut(body)).toEqual(answer)
})

test('an invalid pattern is reported, and one that backtracks for ever still answers', async () => {
  expect((await tryOut({ field: 'custom', format: { pattern: '(a)\\1' }, value: 'aa' })).reason).toContain('RE2')
  const greedy = { field: 'custom', format: { pattern: '(a+)+$' }, value: `${'a'.repeat(499)}!` }
  expect((await tryOut(greedy)).kept).toBeNull()
})

test('deleting the values of a removed field deletes the field too, and is recorded with the number of people', async () => {
  await runTasks(server, [deleteValuesTask])
  await define(DESK, DORM)
  const { data } = await page.call<{ id: string }>('/user_information/create/', {
    body: { account: 'desk-1', name: 'Lin', custom: { desk: '7', dorm: '3-201' } },
  })
  const refused = await page.call('/account_field_rules/delete_values/', { body: { key: 'desk' } })
  expect([refused.status, refused.envelope.code]).toEqual([409, 'account-fields.custom-not-removed'])
  await define({ ...DESK, isRemoved: true }, DORM)
  const begun = await page.call<{ taskId: string }>('/account_field_rules/delete_values/', { body: { key: 'desk' } })
  expect(begun.status).toBe(200)
  await expect.poll(async () => (await isOver(begun.data.taskId)).state).toBe('done')
  expect((await isOver(begun.data.taskId)).result).toEqual({ deleted: 1 })
  expect(await keys()).toEqual(['dorm'])
  const [row] = await server.platform.sql`select custom_values as "values" from users where id = ${data.id}`
  expect(row).toEqual({ values: { dorm: '3-201' } })
  const lines = await server.platform.sql`
    select before from audit_records where action = 'custom-field.delete-values'`
  expect(lines.map(({ before }) => before)).toEqual([{ field: 'Desk', people: 1 }])
  expect((await define(DESK, DORM)).status).toBe(200)
})

test('field rules that are saved while a deleted field is dropped do not deadlock with it', async () => {
  const { sql } = server.platform
  await define({ ...DESK, isRemoved: true }, DORM)
  const begun = await page.call<{ taskId: string }>('/account_field_rules/delete_values/', { body: { key: 'desk' } })
  const saving = await sql.reserve()
  onTestFinished(async () => {
    await saving`rollback`
    saving.release()
  })
  await saving`begin`
  await lockSettingsDocument(saving, 'accountFields', { isPatient: true })
  await runTasks(server, [deleteValuesTask])
  await until(async () => (await lockWaits(sql, '%pg_advisory_xact_lock%')) > 0, 20_000)
  await saving`select from settings where name = 'accountFields' for update`
  await saving`commit`
  expect(await taskEnd(server, begun.data.taskId)).toMatchObject({ state: 'done' })
  expect(await keys()).toEqual(['dorm'])
})
