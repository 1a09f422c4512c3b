import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CustomField } from '#shared/contract/custom-fields.ts'
import type { ImpactFigure } from '#shared/contract/policy-impact.ts'
import { systemContext, transaction } from '../../platform/platform.ts'
import { importFile, reportOf } from '../../testing/imports.ts'
import { addPerson } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { byEntra, ENTERPRISE, openScim } from '../../testing/scim.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { enterPortal, setFieldRules } from '../../testing/sign-in.ts'
import { runTasks } from '../../testing/tasks.ts'
import { lockUniqueFields } from '../user-accounts/index.ts'
import { importTasks } from '../user-imports/index.ts'
import { hashIdNumbers, uniqueFields } from './index.ts'

let server: TestServer
let root: Portal
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
  root = await openPortal(server, { isSuperUser: true })
})
afterAll(() => server.close())
afterEach(async () => {
  const { sql, cache } = server.platform
  await sql`delete from settings where name = 'accountFields'`
  await cache.invalidate(sql, 'settings')
})

const NUMBER = '11010120000101001X'
const rule = (field: string) => ({ [`${field}.isUnique`]: true })
const create = (body: object) => root.call<{ id: string }>('/user_information/create/', { body })
const problemsOf = (answer: { data: unknown }) =>
  ((answer.data as { fields?: { field: string; reason: string }[] }).fields ?? []).map(({ field }) => field)
const impactOf = async (changes: object) =>
  (await root.call<{ figures: ImpactFigure[] }>('/policy_impact/account_fields/', { body: { changes } })).data.figures

test('before a field becomes unique its page lists who shares a value; they keep it, and nobody else gets it', async () => {
  for (const account of ['twin-1', 'twin-2', 'single-1'])
    await addPerson(server, { account, name: account.startsWith('twin') ? '欧阳同名' : '欧阳独名' })
  const [figure] = await impactOf(rule('name'))
  expect(figure).toMatchObject({ key: 'people-sharing', field: 'name', isAtLeast: false })
  const twins = figure?.rows.filter(({ person }) => person.name === '欧阳同名').map(({ person }) => person.account)
  expect(twins).toEqual(['twin-1', 'twin-2'])
  expect(figure?.rows.map(({ person }) => person.account)).not.toContain('single-1')
  await setFieldRules(server, rule('name'))
  const refused = await create({ account: 'twin-3', name: '欧阳同名' })
  expect([refused.status, problemsOf(refused)]).toEqual([400, ['name']])
  expect((await create({ account: 'other-1', name: '欧阳别名' })).status).toBe(200)
})

test('other fields of people who share a value can be changed, but a value they gave up can’t be given back', async () => {
  const [one, two] = [
    await addPerson(server, { account: 'pair-1', name: '同名' }),
    await addPerson(server, { account: 'pair-2', name: '同名' }),
  ]
  await setFieldRules(server, rule('name'))
  const update = async (id: string, fields: object) => {
    const [row] = await server.platform.sql<{ version: number }[]>`select version from users where id = ${id}`
    return await root.call(`/user_information/${id}/update/`, { body: { ...fields, version: row?.version } })
  }
  expect((await update(one, { nickname: 'first' })).status).toBe(200)
  expect((await update(two, { name: '不同名' })).status).toBe(200)
  expect(problemsOf(await update(two, { name: '同名' }))).toEqual(['name'])
})

test('a rule that another node has just saved holds for the next write, and is saved only when writes before it are through', async () => {
  const { sql } = server.platform
  await addPerson(server, { account: 'fresh-1', name: '刚刚同名' })
  const own = await openPortal(server, { userId: await addPerson(server, { account: 'fresh-2' }) })
  await sql`update users set nickname = 'Fresh' where account = 'fresh-1'`
  expect((await create({ account: 'fresh-3', name: '刚刚同名' })).status).toBe(200)
  // As another node saves it, before this one has heard of it.
  await sql`
    insert into settings (name, value, updated_at)
    values ('accountFields', ${JSON.stringify({ 'name.isUnique': true, 'nickname.isUnique': true })}::text::jsonb, now())`
  expect(problemsOf(await create({ account: 'fresh-4', name: '刚刚同名' }))).toEqual(['name'])
  const nick = await own.call(`/user_information/${own.user.userId}/user_nick/`, {
    body: { nick: 'fresh', version: 1 },
  })
  expect(nick).toMatchObject({ status: 409, envelope: { code: 'account-field.taken' } })
  const order: string[] = []
  let saving: Promise<unknown> = Promise.resolve()
  await transaction(systemContext(server.platform), async (inner) => {
    expect(await uniqueFields(inner)).toEqual(['name', 'nickname'])
    const body = { version: 1, changes: {}, reset: ['nickname.isUnique'] }
    saving = root.call('/account_field_rules/update/', { body }).then(({ status }) => order.push(`saved ${status}`))
    await until(async () => {
      const [waiting] = await sql`select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`
      return waiting !== undefined
    }, 10_000)
    order.push('written')
  })
  await saving
  expect(order).toEqual(['written', 'saved 200'])
})

test('a nickname that somebody else has is refused whatever its case, naming the field', async () => {
  const id = await addPerson(server, { account: 'nick-1' })
  const other = await openPortal(server, { userId: await addPerson(server, { account: 'nick-2' }) })
  const own = await openPortal(server, { userId: id })
  await setFieldRules(server, rule('nickname'))
  const set = async (portal: Portal, nick: string) => {
    const [row] = await server.platform.sql<
      { version: number }[]
    >`select version from users where id = ${portal.user.userId}`
    return await portal.call(`/user_information/${portal.user.userId}/user_nick/`, {
      body: { nick, version: row?.version },
    })
  }
  expect((await set(own, 'Panda')).status).toBe(200)
  const refused = await set(other, 'panda')
  expect(refused).toMatchObject({
    status: 409,
    envelope: { code: 'account-field.taken' },
    data: { fields: ['nickname'] },
  })
  expect(refused.envelope.message).toContain('Nickname')
  expect((await set(own, 'PANDA')).status).toBe(200)
})

test('encrypted ID numbers are compared, including those stored before they were hashed', async () => {
  const id = await addPerson(server, { account: 'number-1', idNumber: NUMBER })
  await server.platform.sql`update users set id_number_mac = null where id = ${id}`
  const save = async () => {
    const { data } = await root.call<{ version: number }>('/account_field_rules/details/')
    const body = { version: data.version, changes: rule('idNumber') }
    return await root.call('/account_field_rules/update/', { body })
  }
  expect((await save()).envelope.code).toBe('account-fields.not-comparable')
  await hashIdNumbers(server.platform)
  expect((await save()).status).toBe(200)
  const refused = await create({ account: 'number-2', name: 'Second', idNumber: NUMBER.toLowerCase() })
  expect([refused.status, problemsOf(refused)]).toEqual([400, ['idNumber']])
  const stored = await server.platform.sql`select id_number from users where id = ${id}`
  expect(JSON.stringify(stored)).not.toContain(NUMBER)
})

test('of parallel requests for one value, one succeeds', async () => {
  await setFieldRules(server, rule('name'))
  const many = Array.from({ length: 6 }, (_, at) => create({ account: `race-${at}`, name: '同时之名' }))
  const answers = await Promise.all(many)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400])
})

test('an import gives a number to one person, and to nobody if somebody has it', async () => {
  await runTasks(server, importTasks)
  await addPerson(server, { account: 'file-0', idNumber: '220101199901010015' })
  await setFieldRules(server, rule('idNumber'))
  const file = [
    'account,name,证件号码',
    'file-1,Lin,220101199901010012',
    'file-2,Wu,220101199901010012',
    'file-3,He,220101199901010015',
  ]
  const run = await importFile(root, file.join('\n'))
  expect(run.counts).toMatchObject({ written: 1, bad: 2 })
  const report = await reportOf(root, run.id)
  expect(report.map(({ problems }) => problems.map(({ column, reason }) => [column, reason]))).toEqual([
    [],
    [['证件号码', expect.any(String)]],
    [['证件号码', 'Already belongs to someone.']],
  ])
})

test('a deleted person can’t be restored with a value that somebody else has now', async () => {
  const id = await addPerson(server, { account: 'gone-1', name: '归来之名' })
  const verb = (name: string) => root.call(`/user_information/${id}/${name}/`, { body: { reason: 'Test' } })
  await setFieldRules(server, rule('name'))
  expect((await verb('delete')).status).toBe(200)
  expect((await create({ account: 'gone-2', name: '归来之名' })).status).toBe(200)
  const refused = await verb('restore')
  expect(refused.envelope).toMatchObject({ code: 'user.value-taken', message: expect.stringContaining('Name') })
})

test('a SCIM client is refused a value that somebody else has, naming the field', async () => {
  await addPerson(server, { account: 'pushed-0', name: 'Name of pushed-1' })
  await setFieldRules(server, rule('name'))
  const system = await openScim(root)
  const refused = await system.call('POST', '/Users', byEntra('pushed-1', { [ENTERPRISE]: undefined }))
  expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness'])
  expect(refused.body.detail).toContain('name')
})

test('a person whose ID number can no longer be decrypted can be restored', async () => {
  const id = await addPerson(server, { account: 'sealed-1', idNumber: '440101199901010012' })
  await setFieldRules(server, rule('idNumber'))
  const verb = (name: string) => root.call(`/user_information/${id}/${name}/`, { body: { reason: 'Test' } })
  expect((await verb('delete')).status).toBe(200)
  await server.platform.sql`update users set id_number = 'v1.gone.AAAA' where id = ${id}`
  expect((await verb('restore')).status).toBe(200)
})

test('a number written by a version without hashes is compared like any other', async () => {
  const { sql, secrets } = server.platform
  const id = await addPerson(server, { account: 'rolling-1', idNumber: '550101199901010012' })
  await setFieldRules(server, rule('idNumber'))
  const by = '550101199901010023'
  await sql`update users set id_number = ${secrets.seal(by)} where id = ${id}`
  await hashIdNumbers(server.platform)
  const given = async (account: string, idNumber: string) =>
    problemsOf(await create({ account, name: 'Second', idNumber }))
  expect(await given('rolling-2', by)).toEqual(['idNumber'])
  expect(await given('rolling-3', '550101199901010012')).toEqual([])
})

test('a change of several unique fields locks them in the same order as every other writer', async () => {
  const room = CustomField.parse({
    kind: 'text',
    key: 'room',
    name: 'Room',
    editableBy: 'self',
    required: 'next-login',
    isUnique: true,
  })
  await setFieldRules(server, { ...rule('nickname'), 'nickname.required': 'next-login', custom: [room] })
  await addPerson(server, { account: 'order-1' })
  const page = await enterPortal(server, 'order-1')
  const { sql } = server.platform
  const isWaiting = async () =>
    (
      await sql`select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`
    ).length > 0
  const saved = await sql.begin(async (tx) => {
    await lockUniqueFields(tx, ['custom.room'])
    const saving = page.call('/profile_completion/save/', { body: { nickname: 'Orderly', custom: { room: '7' } } })
    await until(isWaiting, 5000)
    await lockUniqueFields(tx, ['nickname'])
    return { saving }
  })
  expect((await saved.saving).data).toMatchObject({ missing: [], missingCustom: [] })
})
