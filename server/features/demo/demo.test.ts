import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verify } from '@node-rs/argon2'
import { expect, onTestFinished, test } from 'vitest'
import { ensureRecordPartitions } from '../../platform/partitions.ts'
import { openPortal } from '../../testing/portal.ts'
import { testServer } from '../../testing/server.ts'
import { demoAccounts, demoNewcomers, loadDemoSchool, moveDemoApplications } from './index.ts'

async function emptyServer() {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-demo-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return { dataDir, server: await testServer({ env: { DATA_DIR: dataDir } }) }
}

test('the demo school is loaded once, as a whole, into an empty database', async () => {
  const { server, dataDir } = await emptyServer()
  const { sql } = server.platform
  expect(await loadDemoSchool(server.platform)).toBe(true)

  const [counts] = await sql`
    select (select count(*)::int from organizations) as organizations,
      (select max(cardinality(ancestor_ids)) from organizations) as levels,
      (select count(*)::int from users) as users, (select count(*)::int from user_categories) as categories,
      (select count(*)::int from applications where not built_in) as applications,
      (select count(*)::int from passwords) as passwords,
      (select count(*)::int from users where is_super_user) as super_users,
      (select count(*)::int from users where locked_at is not null) as locked,
      (select count(*)::int from users where frozen_from is not null) as frozen,
      (select count(*)::int from users where dormant_since is not null) as dormant`
  expect(counts).toEqual({
    organizations: expect.any(Number),
    levels: 3,
    users: 2000,
    categories: 5,
    applications: 14,
    passwords: 3,
    superUsers: 1,
    locked: 4,
    frozen: 5,
    dormant: 12,
  })
  expect(counts?.['organizations']).toBeGreaterThan(55)
  expect(await loadDemoSchool(server.platform)).toBe(false)
  expect((await stat(join(dataDir, 'demo-accounts.json'))).mode & 0o777).toBe(0o600)
})

test('two weeks of records end now, are in their months and follow the rhythm of the day', async () => {
  const { server } = await emptyServer()
  const { sql, now } = server.platform
  await ensureRecordPartitions(sql, now())
  await loadDemoSchool(server.platform)
  const [logins] = await sql`
    select count(*)::int as count, min(at) as first, max(at) as last,
      (count(*) filter (where extract(hour from at at time zone 'Asia/Shanghai') in (8, 9)))::int as mornings,
      (count(*) filter (where extract(hour from at at time zone 'Asia/Shanghai') in (2, 3)))::int as nights,
      (count(*) filter (where user_id is null))::int as strangers
    from login_records`
  expect(logins?.['count']).toBeGreaterThan(4000)
  expect(logins?.['last'].getTime()).toBeLessThanOrEqual(now().getTime())
  expect(now().getTime() - logins?.['first'].getTime()).toBeLessThan(14.01 * 86_400_000)
  expect(logins?.['mornings']).toBeGreaterThan(20 * (logins?.['nights'] + 1))
  const [visits] = await sql`
    select count(*)::int as count, (count(*) filter (where a.id is null or l.id is null))::int as lost
    from visit_records v left join applications a on a.id = v.application_id
    left join login_records l on l.sso_session_id = v.sso_session_id`
  expect(visits?.['count']).toBeGreaterThan(5000)
  expect(visits?.['lost']).toBe(0)
  expect(await sql`select from login_records_other`).toHaveLength(0)
})

test('the teacher of the demo school administers one school of it', async () => {
  const { server } = await emptyServer()
  await loadDemoSchool(server.platform)
  const { sql } = server.platform
  const [teacher] = await sql<{ id: string }[]>`select id from users where account = 'hanmeimei'`
  const page = await openPortal(server, { userId: teacher?.id ?? '' })
  const { data: people } = await page.call<{ total: number }>('/user_information/query/')
  expect(people.total).toBeGreaterThan(50)
  expect(people.total).toBeLessThan(1000)
})

test('every installation has its own passwords, shown only as long as they are valid', async () => {
  const [first, second] = [await emptyServer(), await emptyServer()]
  await loadDemoSchool(first.server.platform)
  await loadDemoSchool(second.server.platform)
  const accounts = await demoAccounts(first.server.platform)
  const others = await demoAccounts(second.server.platform)
  expect(accounts.map(({ account, role }) => [account, role])).toEqual([
    ['admin', 'superUser'],
    ['hanmeimei', 'teacher'],
    ['lilei', 'student'],
  ])
  expect(new Set([...accounts, ...others].map(({ password }) => password)).size).toBe(6)
  const { sql } = first.server.platform
  for (const { account, password } of accounts) {
    const [row] = await sql`select hash from passwords join users on id = user_id where account = ${account}`
    expect(await verify(row?.['hash'], password)).toBe(true)
  }
  await sql`
    update passwords set changed_at = changed_at + interval '1 hour'
    where user_id = (select id from users where account = 'admin')`
  expect((await demoAccounts(first.server.platform)).map(({ account }) => account)).toEqual(['hanmeimei', 'lilei'])
})

test('a database that holds anything gets no demo school', async () => {
  const { server } = await emptyServer()
  await server.platform.sql`insert into roles values (gen_random_uuid(), 'x', 'X')`
  await server.platform
    .sql`insert into organizations values (gen_random_uuid(), 'x', 'X', '{}', null, '{}', null, 0, true, 1, now(), now())`
  expect(await loadDemoSchool(server.platform)).toBe(false)
  expect(await server.platform.sql`select from users`).toHaveLength(0)
  expect(await demoAccounts(server.platform)).toEqual([])
})

test('two nodes that start together load one school', async () => {
  const { server } = await emptyServer()
  const other = await server.secondNode()
  const loaded = await Promise.all([loadDemoSchool(server.platform), loadDemoSchool(other.platform)])
  expect(loaded.sort()).toEqual([false, true])
  const [users] = await server.platform.sql`select count(*)::int as count from users`
  expect(users?.['count']).toBe(2000)
})

test('registered addresses follow the demo applications, except those that somebody changed', async () => {
  const { server } = await emptyServer()
  const { sql } = server.platform
  await loadDemoSchool(server.platform)
  await sql`update applications set url = 'https://mail.example.edu/' where app_id = 'mail'`
  await moveDemoApplications(server.platform, {
    library: 'http://127.0.0.1:7001',
    learning: 'http://127.0.0.1:7002',
    vendors: { qywx: 'http://127.0.0.1:7003' },
    mailboxes: { exmail: 'http://127.0.0.1:7008' },
  })
  const [wecom] = await sql`select settings->>'loginHost' as host from third_party_providers where key = 'qywx'`
  expect(wecom).toEqual({ host: 'http://127.0.0.1:7003' })
  const rows = await sql`
    select app_id, url, service_urls || redirect_uris as service_urls from applications where app_id in ('card', 'learning', 'mail') order by app_id`
  expect(rows).toEqual([
    { appId: 'card', url: 'http://127.0.0.1:7001/card/', serviceUrls: ['http://127.0.0.1:7001/card/**'] },
    {
      appId: 'learning',
      url: 'http://127.0.0.1:7002/learning/',
      serviceUrls: ['http://127.0.0.1:7002/learning/callback'],
    },
    { appId: 'mail', url: 'https://mail.example.edu/', serviceUrls: expect.anything() },
  ])
})

test('the output names a few people who have not activated yet, until they have', async () => {
  const { server } = await emptyServer()
  expect(await demoNewcomers(server.platform)).toEqual([])
  await loadDemoSchool(server.platform)
  const newcomers = await demoNewcomers(server.platform)
  expect(newcomers).toHaveLength(4)
  for (const { idNumber } of newcomers) expect(idNumber).toMatch(/^999999\d{11}[\dX]$/)
  const [first] = newcomers
  await server.platform.sql`update users set activated = true where account = ${first?.account ?? ''}`
  expect((await demoNewcomers(server.platform)).map(({ account }) => account)).not.toContain(first?.account)
})
