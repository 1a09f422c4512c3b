import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AccessRule } from '#shared/contract/access-rules.ts'
import type { UnconfirmedChange } from '#shared/contract/unconfirmed-changes.ts'
import { RESTORERS } from '../../restorers.ts'
import { importFile } from '../../testing/imports.ts'
import { lockoutIn } from '../../testing/lockout.ts'
import { addPerson, PASSWORD } from '../../testing/people.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { attempt, BEHIND_PROXY } from '../../testing/sign-in.ts'
import { runTasks } from '../../testing/tasks.ts'
import { goBackWhenDue } from '../unconfirmed-changes/index.ts'
import { importTasks } from '../user-imports/index.ts'

let server: TestServer
let root: Portal
beforeEach(async () => {
  server = await startTestServer(BEHIND_PROXY)
  root = await openPortal(server, { isSuperUser: true, account: 'root' })
})
afterEach(() => server.close())

const create = (name: string, more: object) =>
  root.call<AccessRule>('/access_rule/create/', { body: { name, mode: 'on', outcome: 'refuse', ...more } })
const here = { name: 'Here', kind: 'other', networks: ['127.0.0.0/8', '::1/128'] }
const makeRange = async (body: object) =>
  (await root.call<{ id: string; version: number }>('/ip_range/create/', { body })).data
const names = async () =>
  (await root.call<{ records: AccessRule[] }>('/access_rule/query/?pageSize=100')).data.records
    .filter(({ settingsKey }) => settingsKey === null)
    .map(({ name }) => name)

test('a rule that would reject its author here and now is not saved, neither new nor changed', async () => {
  expect(lockoutIn((await create('Everybody', {})).envelope)).toEqual(['policy.locks-out', 'Everybody', 'caller'])
  const everywhere = { networks: ['0.0.0.0/0', '::/0'], kind: 'other', name: 'Everywhere' }
  const { id } = await makeRange(everywhere)
  expect(lockoutIn((await create('All', { where: { ranges: [id] } })).envelope)[0]).toBe('policy.locks-out')
  expect(await names()).toEqual([])
  const { data } = await create('Report', { mode: 'report', who: { administrators: true } })
  const { shownName: _, references: __, missing: ___, settingsKey, setByFile, updatedAt, id: ruleId, ...fields } = data
  expect([settingsKey, setByFile, updatedAt === null]).toEqual([null, false, false])
  const changed = await root.call(`/access_rule/${ruleId}/update/`, { body: { ...fields, mode: 'on' } })
  expect(lockoutIn(changed.envelope)).toEqual(['policy.locks-out', 'Report', 'caller'])
  expect((await create('Elsewhere', { where: { ranges: [id], place: 'outside' } })).envelope.state).toBe(200)
})

test('a range can not be changed or deleted if a rule would then reject the author', async () => {
  const range = await makeRange(here)
  const other = await makeRange({ name: 'Far', kind: 'campus', networks: ['198.51.100.0/24'] })
  await create('Only from here', { where: { kinds: ['other'], place: 'outside' } })
  const removed = await root.call(`/ip_range/${range.id}/delete/`, { body: { version: range.version } })
  expect(lockoutIn(removed.envelope)).toEqual(['policy.locks-out', 'Only from here', 'caller'])
  const body = { ...here, kind: 'campus', version: range.version }
  expect(lockoutIn((await root.call(`/ip_range/${range.id}/update/`, { body })).envelope)[0]).toBe('policy.locks-out')
  const far = await root.call(`/ip_range/${other.id}/delete/`, { body: { version: other.version } })
  expect(far.envelope.state).toBe(200)
})

test('a rule that rejects every super user at their last login location is not saved, but one who gets in is enough', async () => {
  const office = await makeRange({ name: 'Office', kind: 'trusted', networks: ['10.0.0.0/8'] })
  for (const [account, from] of [
    ['one', '10.1.1.1'],
    ['two', '192.0.2.9'],
  ] as const) {
    await addPerson(server, { account, isSuperUser: true })
    expect((await attempt(server, account, PASSWORD, { from })).code).toBe('')
    await server.platform.sql`update users set is_super_user = true where account = ${account}`
  }
  const inside = { where: { ranges: [office.id] } }
  const saved = await create('Not from the office', inside)
  expect(saved.envelope.state).toBe(200)
  await root.call(`/access_rule/${saved.data.id}/delete/`, { body: { version: 1 } })
  await server.platform.sql`update login_records set ip = '10.2.2.2' where account = 'two'`
  expect(lockoutIn((await create('Not from the office', inside)).envelope)).toEqual([
    'policy.locks-out',
    'Not from the office',
    'super-users',
  ])
})

test('a rejection that starts later and lasts for days is not saved either, but a nightly one of some hours is', async () => {
  const days = [1, 2, 3, 4, 5, 6, 7]
  const today = server.platform.now().getUTCDay() || 7
  const later = { weekdays: days.filter((day) => day !== today), zone: 'UTC' }
  expect(lockoutIn((await create('Not today', { when: later })).envelope)).toEqual([
    'policy.locks-out',
    'Not today',
    'caller',
  ])
  const hour = (hours: number) => `${String((server.platform.now().getUTCHours() + hours) % 24).padStart(2, '0')}:00`
  const night = { weekdays: days, zone: 'UTC', from: hour(4), to: hour(11) }
  expect((await create('Nights', { when: night })).envelope.state).toBe(200)
  // Together they cover the whole day.
  const rest = { weekdays: later.weekdays, zone: 'UTC', from: hour(11), to: hour(4) }
  expect(lockoutIn((await create('Rest', { when: rest })).envelope)[0]).toBe('policy.locks-out')
})

test('while rules are suspended they can be fixed one by one', async () => {
  const { sql, cache, now } = server.platform
  await sql`insert into settings (name, value, updated_at) values ('access', '{"suspended": true}', ${now()})`
  await cache.invalidate(sql, 'settings')
  const { data: rule, envelope } = await create('Everybody', {})
  expect(envelope.state).toBe(200)
  const on = await root.call('/access_rule/switch_on/', { body: {} })
  expect(lockoutIn(on.envelope)).toEqual(['policy.locks-out', 'Everybody', 'caller'])
  await root.call(`/access_rule/${rule.id}/delete/`, { body: { version: 1 } })
  expect((await root.call('/access_rule/switch_on/', { body: {} })).envelope.state).toBe(200)
})

test('a rule that locks out can be saved provisionally, and a new one is disabled after ten minutes', async () => {
  const body = { name: 'Everybody', mode: 'on', outcome: 'refuse', force: true }
  const { envelope, data } = await root.call<AccessRule>('/access_rule/create/', { body })
  expect([envelope.state, data.mode]).toEqual([200, 'on'])
  await addPerson(server, { account: 'ann' })
  expect((await attempt(server, 'ann')).code).toBe('sign-in.rule-refused')
  expect((await root.call('/access_rule/query/')).status).toBe(401)
  server.advance(10 * 60 + 1)
  await goBackWhenDue(server.platform, RESTORERS)
  expect((await attempt(server, 'ann')).code).toBe('')
  const [row] = await server.platform.sql`select mode from access_rules where id = ${data.id}`
  expect(row).toEqual({ mode: 'off' })
})

test('a rule is reversed even if what it referenced before has been deleted', async () => {
  const role = (await root.call<{ id: string }>('/role/create/', { body: { code: 'guests', name: 'Guests' } })).data
  const { data } = await create('Guests', { who: { roles: [role.id] } })
  const { shownName: _, references: __, missing: ___, settingsKey: ____, setByFile, updatedAt, id, ...fields } = data
  expect([setByFile, updatedAt === null]).toEqual([false, false])
  const body = { ...fields, outcome: 'refuse', who: {}, force: true }
  expect((await root.call(`/access_rule/${id}/update/`, { body })).envelope.state).toBe(200)
  await server.platform.sql`delete from roles where id = ${role.id}`
  await addPerson(server, { account: 'ann' })
  expect((await attempt(server, 'ann')).code).toBe('sign-in.rule-refused')
  server.advance(10 * 60 + 1)
  await goBackWhenDue(server.platform, RESTORERS)
  expect((await attempt(server, 'ann')).code).toBe('')
  const [row] = await server.platform
    .sql`select mode, conditions->'who'->'roles' as roles from access_rules where id = ${id}`
  expect(row).toEqual({ mode: 'on', roles: [role.id] })
})

test('a range that locks out and was saved provisionally is reversed after ten minutes', async () => {
  const range = await makeRange(here)
  await create('Only from here', { where: { kinds: ['other'], place: 'outside' } })
  const path = `/ip_range/${range.id}/update/`
  const body = { ...here, kind: 'campus', note: 'moved', version: range.version, force: true }
  expect((await root.call(path, { body })).envelope.state).toBe(200)
  const stored = async () => {
    const [row] = await server.platform.sql`select kind, note from ip_ranges where id = ${range.id}`
    return row
  }
  await addPerson(server, { account: 'ann' })
  expect((await attempt(server, 'ann')).code).toBe('sign-in.rule-refused')
  server.advance(9 * 60)
  await goBackWhenDue(server.platform, RESTORERS)
  expect(await stored()).toEqual({ kind: 'campus', note: 'moved' })
  server.advance(61)
  await goBackWhenDue(server.platform, RESTORERS)
  expect(await stored()).toEqual({ kind: 'other', note: '' })
  expect((await attempt(server, 'ann')).code).toBe('')
})

test('a new range that locks out is switched off after ten minutes', async () => {
  await create('Nobody from there', { where: { kinds: ['blocked'] } })
  const body = { ...here, kind: 'blocked' }
  expect(lockoutIn((await root.call('/ip_range/create/', { body })).envelope)[0]).toBe('policy.locks-out')
  expect((await root.call('/ip_range/create/', { body: { ...body, force: true } })).envelope.state).toBe(200)
  server.advance(10 * 60 + 1)
  await goBackWhenDue(server.platform, RESTORERS)
  const rows = await server.platform.sql`select name, enabled from ip_ranges`
  expect([...rows]).toEqual([{ name: 'Here', enabled: false }])
})

test('a rule saved provisionally stays when a new login confirms it, and the banner names it', async () => {
  const role = (await root.call<{ id: string }>('/role/create/', { body: { code: 'guests', name: 'Guests' } })).data
  await server.platform.sql`insert into role_members (role_id, user_id) values (${role.id}, ${root.user.userId})`
  const body = { name: 'No guests', mode: 'on', outcome: 'refuse', who: { roles: [role.id] }, force: true }
  const { id } = (await root.call<AccessRule>('/access_rule/create/', { body })).data
  server.advance(5)
  const fresh = await openPortal(server, { isSuperUser: true, account: 'fresh' })
  const { records } = (await fresh.call<{ records: UnconfirmedChange[] }>('/unconfirmed_change/query/')).data
  expect(records).toMatchObject([
    { targetKind: 'access-rule', targetId: id, targetName: 'No guests', fields: ['mode'], isConfirmable: true },
  ])
  expect((await fresh.call(`/unconfirmed_change/${records[0]?.id}/confirm/`, { body: {} })).status).toBe(200)
  server.advance(11 * 60)
  await goBackWhenDue(server.platform, RESTORERS)
  expect([...(await server.platform.sql`select mode from access_rules`)]).toEqual([{ mode: 'on' }])
})

test('giving every super user a role that a rule rejects is rejected, by every method', async () => {
  const role = (await root.call<{ id: string }>('/role/create/', { body: { code: 'guests', name: 'Guests' } })).data
  await create('No guests', { who: { roles: [role.id] } })
  const ids = [root.user.userId]
  const add = { body: { kind: 'user', ids } }
  expect(lockoutIn((await root.call(`/role/${role.id}/member/add/`, add)).envelope)[0]).toBe('policy.locks-out')
  const batch = { body: { selection: { ids }, roleId: role.id, verb: 'join' } }
  const { status, envelope } = await root.call('/user_information/batch_role/', batch)
  expect([status, envelope.code]).toEqual([409, 'policy.locks-out'])
  expect(await server.platform.sql`select from role_members`).toHaveLength(0)
})

const makeOne = async (path: string, body: object) =>
  (await root.call<{ id: string; version: number }>(path, { body })).data

test('moving people or departments never puts the author or the last super user where a rule rejects them', async () => {
  const category = await makeOne('/user_category/create/', { code: 'out', name: 'Out' })
  const far = await makeOne('/organization/create/', { code: 'far', name: 'Far', parentId: null })
  const near = await makeOne('/organization/create/', { code: 'near', name: 'Near', parentId: null })
  expect((await create('No such people', { who: { categories: ['out'] } })).envelope.state).toBe(200)
  expect((await create('Not from far', { who: { organizations: [far.id] } })).envelope.state).toBe(200)
  const { userId } = root.user
  const change = async (fields: object) => {
    const { version } = (await root.call<{ version: number }>(`/user_information/${userId}/full_details/`)).data
    return lockoutIn(
      (await root.call(`/user_information/${userId}/update/`, { body: { ...fields, version } })).envelope,
    )
  }
  const refused = (name: string) => ['policy.locks-out', name, 'caller']
  expect(await change({ categoryId: category.id })).toEqual(refused('No such people'))
  expect(await change({ organizationId: far.id })).toEqual(refused('Not from far'))
  expect((await change({ organizationId: near.id }))[0]).toBeUndefined()
  const move = { body: { version: near.version, parentId: far.id } }
  expect(lockoutIn((await root.call(`/organization/${near.id}/move/`, move)).envelope)).toEqual(refused('Not from far'))
  const [row] = await server.platform.sql`
    select category_id as category, organization_id as organization from users where id = ${userId}`
  expect(row).toEqual({ category: null, organization: near.id })
})

test('nor does a bulk change, a merge of departments or an import', async () => {
  await runTasks(server, importTasks)
  const category = await makeOne('/user_category/create/', { code: 'out', name: 'Out' })
  const far = await makeOne('/organization/create/', { code: 'far', name: 'Far', parentId: null })
  const near = await makeOne('/organization/create/', { code: 'near', name: 'Near', parentId: null })
  const { userId } = root.user
  await root.call(`/user_information/batch_update/`, {
    body: { selection: { ids: [userId] }, fields: { organizationId: near.id } },
  })
  await create('No such people', { who: { categories: ['out'] } })
  await create('Not from far', { who: { organizations: [far.id] } })
  const batch = { selection: { ids: [userId] }, fields: { categoryId: category.id } }
  const many = await root.call('/user_information/batch_update/', { body: batch })
  expect(lockoutIn(many.envelope)).toEqual(['policy.locks-out', 'No such people', 'caller'])
  const merger = { body: { version: near.version, into: far.id } }
  const merged = await root.call(`/organization/${near.id}/merge/`, merger)
  expect(lockoutIn(merged.envelope)).toEqual(['policy.locks-out', 'Not from far', 'caller'])
  const run = await importFile(root, 'account,category\nroot,out\n')
  expect([run.state, run.counts.written]).toEqual(['failed', 0])
  expect(run.task?.error).toContain('“No such people”')
  const [row] = await server.platform.sql`
    select category_id as category, organization_id as organization from users where id = ${userId}`
  expect(row).toEqual({ category: null, organization: near.id })
})

test('an import of ranges by which a rule would reject the importer fails with the name of the rule, and imports nothing', async () => {
  await create('No such places', { where: { kinds: ['blocked'] } })
  const form = new FormData()
  form.set(
    'file',
    new File(['Name,Kind,Networks\nLocal,blocked,"127.0.0.0/8, ::1/128"\nFine,campus,10.0.0.0/8'], 'a.csv'),
  )
  const refused = await root.call('/ip_range/import/run/', { body: form })
  expect(lockoutIn(refused.envelope)).toEqual(['policy.locks-out', 'No such places', 'caller'])
  expect(await server.platform.sql`select from ip_ranges`).toHaveLength(0)
})
