import { v7 } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hold, lockWaits } from '../../testing/lock-waits.ts'
import { lockoutIn } from '../../testing/lockout.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { until } from '../../testing/process.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt, BEHIND_PROXY } from '../../testing/sign-in.ts'
import { ipRangeRestorer } from '../ip-ranges/index.ts'
import { goBackWhenDue } from '../unconfirmed-changes/index.ts'

/** Changes that lock out by a detour: beside others, by a rollback, or because those who get in can't log in anyway. */
let server: TestServer
let root: Portal
beforeEach(async () => {
  server = await startTestServer(BEHIND_PROXY)
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
})
afterEach(() => server.close())

const create = (name: string, more: object) =>
  root.call('/access_rule/create/', { body: { name, mode: 'on', outcome: 'refuse', ...more } })
const makeOne = async (path: string, body: object) =>
  (await root.call<{ id: string; version: number }>(path, { body })).data

test('a super user who is locked or frozen is nobody who gets in', async () => {
  const office = await makeOne('/ip_range/create/', { name: 'Office', kind: 'trusted', networks: ['10.0.0.0/8'] })
  for (const [account, from] of [
    ['one', '10.1.1.1'],
    ['two', '192.0.2.9'],
  ] as const) {
    await addPerson(server, { account, isSuperUser: true })
    expect((await attempt(server, account, PASSWORD, { from })).code).toBe('')
  }
  const [two] = await server.platform.sql<{ id: string }[]>`select id from users where account = 'two'`
  const inside = { where: { ranges: [office.id] } }
  for (const [shut, open] of [
    ['lock', 'unlock'],
    ['freeze', 'thaw'],
  ] as const) {
    expect((await root.call(`/user_information/${two?.id}/${shut}/`, { body: {} })).envelope.state).toBe(200)
    expect(lockoutIn((await create('Not from the office', inside)).envelope)[2]).toBe('super-users')
    await root.call(`/user_information/${two?.id}/${open}/`, { body: {} })
  }
  expect((await create('Not from the office', inside)).envelope.state).toBe(200)
})

test('a rollback of a department’s place, or of a role’s members, never puts the author where a rule rejects them', async () => {
  const far = await makeOne('/organization/create/', { code: 'far', name: 'Far', parentId: null })
  const near = await makeOne('/organization/create/', { code: 'near', name: 'Near', parentId: far.id })
  const role = await makeOne('/role/create/', { code: 'guests', name: 'Guests' })
  const [kind, ids] = ['organization', [near.id]]
  for (const [path, body] of [
    [`/role/${role.id}/member/add/`, { kind, ids }],
    [`/role/${role.id}/member/remove/`, { kind, selection: { ids } }],
    [`/organization/${near.id}/move/`, { version: near.version, parentId: null }],
  ] as const)
    expect((await root.call(path, { body })).envelope.state).toBe(200)
  const { userId } = root.user
  await server.platform.sql`update users set organization_id = ${near.id} where id = ${userId}`
  expect((await create('Not from far', { who: { organizations: [far.id] } })).envelope.state).toBe(200)
  expect((await create('No guests', { who: { roles: [role.id] } })).envelope.state).toBe(200)
  const rollBack = async (id: string, path: string) => {
    const [line] = await server.platform.sql<{ id: string; at: Date }[]>`
      select id, at from audit_records where target_id = ${id} order by at desc, id desc limit 1`
    const { version } = (await root.call<{ version: number }>(path)).data
    const body = { at: line?.at.toISOString(), side: 'before', version, reason: 'Test' }
    return lockoutIn((await root.call(`/change_history/${line?.id}/roll_back/`, { body })).envelope)
  }
  expect(await rollBack(near.id, `/organization/${near.id}/details/`)).toEqual([
    'policy.locks-out',
    'Not from far',
    'caller',
  ])
  expect(await rollBack(role.id, `/role/${role.id}/details/`)).toEqual(['policy.locks-out', 'No guests', 'caller'])
})

test('a rule and a range that are saved at the same time don’t lock out together', async () => {
  const range = await makeOne('/ip_range/create/', { name: 'Shut', kind: 'blocked', networks: ['198.51.100.0/24'] })
  // Both are judged while neither is committed.
  const records = await hold(
    server.platform.sql,
    (sql) => sql`lock table audit_records in exclusive mode`,
    '%audit_records%',
  )
  const ruling = create('Nobody from there', { where: { kinds: ['blocked'] } })
  await records.reached()
  const body = { name: 'Shut', kind: 'blocked', networks: ['127.0.0.0/8', '::1/128'], version: range.version }
  const ranging = root.call(`/ip_range/${range.id}/update/`, { body })
  await until(async () => (await lockWaits(server.platform.sql)) === 2, 20_000)
  await records.release()
  expect((await ruling).envelope.state).toBe(200)
  expect(lockoutIn((await ranging).envelope)).toEqual(['policy.locks-out', 'Nobody from there', 'caller'])
})

test('a forced range goes back even if another has its former network by now: it is disabled', async () => {
  const range = await makeOne('/ip_range/create/', { name: 'Shut', kind: 'blocked', networks: ['198.51.100.0/24'] })
  expect((await create('Nobody from there', { where: { kinds: ['blocked'] } })).envelope.state).toBe(200)
  const body = { name: 'Shut', kind: 'blocked', networks: ['127.0.0.0/8', '::1/128'], version: range.version }
  expect((await root.call(`/ip_range/${range.id}/update/`, { body: { ...body, force: true } })).envelope.state).toBe(
    200,
  )
  await server.platform.sql`
    insert into ip_ranges (id, name, kind, networks, updated_at) values (${v7()}, 'New', 'campus', '{198.51.100.0/24}', now())`
  server.advance(10 * 60 + 1)
  await goBackWhenDue(server.platform, { 'ip-range': ipRangeRestorer })
  const rows = await server.platform.sql`select name, enabled from ip_ranges order by name`
  expect(rows).toEqual([
    { name: 'New', enabled: true },
    { name: 'Shut', enabled: false },
  ])
  const settled = await server.platform.sql`select outcome from unconfirmed_changes`
  expect(settled).toEqual([{ outcome: 'went-back' }])
})
