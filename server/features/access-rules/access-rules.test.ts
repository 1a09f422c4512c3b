import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AccessRule, SETTINGS_RULES } from '#shared/contract/access-rules.ts'
import type { Change } from '#shared/contract/change-history.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer()
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
})
afterAll(() => server.close())
afterEach(async () => {
  for (const { id, version, settingsKey } of await list()) {
    if (settingsKey === null) await root.call(`/access_rule/${id}/delete/`, { body: { version } })
  }
})

const list = async (query = '') =>
  (await root.call<{ records: AccessRule[] }>(`/access_rule/query/?pageSize=300${query}`)).data.records
const create = (name: string, more: object = {}) =>
  root.call<AccessRule>('/access_rule/create/', { body: { name, outcome: 'notify', ...more } })
const fieldsOf = ({ name, names, mode, who, where, when, applications, outcome, message, messages }: AccessRule) => ({
  ...{ name, names, mode, who, where, when, applications, outcome, message, messages },
})
const update = (rule: AccessRule, changes: object) =>
  root.call<AccessRule>(`/access_rule/${rule.id}/update/`, {
    body: { ...fieldsOf(rule), version: rule.version, ...changes },
  })
const make = async (path: string, body: object) => (await root.call<{ id: string }>(path, { body })).data.id

test('a new rule restricts neither who, where, when nor what by default, and only reports', async () => {
  const { status, data } = await create('Night', { names: { zh_CN: '夜间' } })
  expect(status).toBe(200)
  expect(data).toMatchObject({ version: 1, mode: 'report', shownName: 'Night', references: [], missing: 0 })
  expect(data).toMatchObject({
    who: { categories: [], organizations: [], roles: [], administrators: false },
    where: { ranges: [], kinds: [], place: 'inside' },
    when: { weekdays: [], from: null, to: null, zone: 'Asia/Shanghai' },
    applications: [],
  })
  expect((await update(data, { mode: 'on' })).data).toMatchObject({ version: 2, mode: 'on' })
  expect((await update(data, { mode: 'off' })).envelope.code).toBe('version.conflict')
})

test('the keys of the login configuration are rows of the same list, changed there', async () => {
  await setPolicy(server, { secondFactorCategories: ['gone'], secondFactorOffCampus: true })
  const rows = new Map((await list()).map((row) => [row.settingsKey, row]))
  expect(rows.size).toBe(4)
  expect(rows.get('secondFactorSuperUsers')).toMatchObject({ mode: 'on', who: { administrators: true } })
  expect(rows.get('secondFactorOffCampus')).toMatchObject({
    mode: 'on',
    where: { kinds: ['campus'], place: 'outside' },
  })
  expect(rows.get('secondFactorApplications')).toMatchObject({ mode: 'off', setByFile: false })
  expect(rows.get('secondFactorCategories')).toMatchObject({ missing: 1, references: [{ state: 'deleted' }] })
  const [row] = await list('&missing=1')
  expect(row?.id).toBe(SETTINGS_RULES.secondFactorCategories)
  if (!row) throw new Error('there was one')
  expect((await update(row, { mode: 'off' })).envelope.code).toBe('access-rule.in-login-config')
  const removed = await root.call(`/access_rule/${row.id}/delete/`, { body: { version: row.version } })
  expect(removed.envelope.code).toBe('access-rule.in-login-config')
  await setPolicy(server, { secondFactorCategories: [], secondFactorOffCampus: false })
})

test('the list finds by name, by what a rule names, by mode and by outcome', async () => {
  const law = await make('/organization/create/', { code: 'law', name: 'Faculty of Law', parentId: null })
  await create('First', { who: { organizations: [law] }, outcome: 'refuse', mode: 'off' })
  await create('Second', { outcome: 'captcha', mode: 'off' })
  const names = async (query: string) => (await list(query)).map(({ name }) => name)
  expect(await names('&search=sec&mode=off&outcome=captcha')).toEqual(['Second'])
  expect(await names(`&search=${encodeURIComponent('of law')}`)).toEqual(['First'])
  expect(await names('&mode=off&outcome=refuse')).toEqual(['First'])
  expect((await names('&search=s&sort=-name')).slice(0, 4).toSorted()).toEqual(
    (await names('&search=s')).slice(-4).toSorted(),
  )
})

test('a deleted reference is shown by its former name, kept at a change, and can not be added', async () => {
  const id = await make('/role/create/', { code: 'guests', name: 'Guests' })
  const { data } = await create('For guests', { who: { roles: [id] } })
  expect(data.references).toEqual([{ field: 'who.roles', value: id, name: 'Guests', state: 'there' }])
  const { envelope } = await root.call(`/role/${id}/delete/`, { body: { version: 1 } })
  expect(envelope.state).toBe(200)
  const [row] = await list('&missing=1')
  if (!row) throw new Error('nothing is told to be missing')
  expect(row.references).toEqual([{ field: 'who.roles', value: id, name: 'Guests', state: 'deleted' }])
  const changed = await update(row, { name: 'For nobody' })
  expect(changed.data).toMatchObject({ name: 'For nobody', missing: 1, references: [{ name: 'Guests' }] })
  const other = await create('Another', { who: { roles: [id] } })
  expect([other.envelope.code, other.envelope.data]).toEqual([
    'access-rule.unknown-reference',
    { fields: ['who.roles'] },
  ])
})

test('a contradictory rule is rejected, and the error names the field', async () => {
  const codeOf = async (more: object) => {
    const { envelope } = await create('Wrong', more)
    return [envelope.code, (envelope.data as { fields?: string[] } | null)?.fields]
  }
  expect(await codeOf({ outcome: 'captcha', who: { administrators: true } })).toEqual([
    'access-rule.captcha-who',
    ['who'],
  ])
  const times = ['access-rule.times', ['when.from', 'when.to']]
  expect(await codeOf({ when: { from: '08:00', to: '08:00' } })).toEqual(times)
  expect(await codeOf({ when: { from: '08:00' } })).toEqual(times)
  expect(await codeOf({ when: { zone: 'Mars/Olympus' } })).toEqual(['access-rule.zone-unknown', ['when.zone']])
  await create('Taken')
  expect((await create('Taken')).envelope).toMatchObject({ code: 'access-rule.name-taken', data: { fields: ['name'] } })
})

test('a rule is rolled back from the history', async () => {
  const { data } = await create('Before', { mode: 'off' })
  await update(data, { name: 'After', outcome: 'refuse' })
  const { records } = (await root.call<{ records: Change[] }>('/change_history/query/?targetKind=access-rule')).data
  const [change] = records
  const path = `/change_history/${change?.id}/roll_back/`
  await root.call(path, { body: { at: change?.at, side: 'before', version: 2, reason: 'Test' } })
  expect((await list('&search=before')).map(({ outcome }) => outcome)).toEqual(['notify'])
})
