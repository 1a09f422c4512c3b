import { expect, onTestFinished, test } from 'vitest'
import type { DirectorySync, SyncRun } from '#shared/contract/directory-syncs.ts'
import { qywxEvents } from '../../../tools/simulators/events.ts'
import { startSimulator, VENDORS } from '../../../tools/simulators/index.ts'
import { hold } from '../../testing/lock-waits.ts'
import { openPortal } from '../../testing/portal.ts'
import { startNode, until } from '../../testing/process.ts'
import { testServer } from '../../testing/server.ts'
import { changed } from '../../testing/source-events.ts'
import { startEventSyncs } from '../directory-syncs/index.ts'

const PEOPLE = 120
const SECRET_KEY = 'a test key of more than thirty-two characters'

test('a node that is killed while it reads or writes whom events name loses no event, and another one writes each person once', {
  timeout: 240_000,
}, async () => {
  const server = await testServer()
  const { sql, config } = server.platform
  const root = await openPortal(server, { isSuperUser: true })
  const now = () => server.platform.now()
  const vendor = await startSimulator(VENDORS.qywx, { trustedOrigin: server.url, now })
  onTestFinished(() => vendor.close())
  vendor.book.users.clear()
  const put = (at: number, name: string) =>
    vendor.book.users.set(`k${at}`, {
      ...{ id: `k${at}`, name, mobile: '', email: '', title: '', number: '' },
      ...{ departments: [1], status: 1 as const },
    })
  for (let at = 0; at < PEOPLE; at++) put(at, `Person ${at}`)
  const env = { DATABASE_URL: config.databaseUrl ?? '', SECRET_KEY }
  let node = await startNode(env)
  const { application: user = '', secret: password = '' } = VENDORS.qywx.contacts?.(vendor.url) ?? {}
  const { data: source } = await root.call<{ id: string }>('/data_source/create/', {
    body: { name: 'Book', kind: 'wecom', user, password, options: { url: vendor.url } },
  })
  const mapping = [
    { column: 'userid', field: 'account' },
    { column: 'name', field: 'name' },
  ]
  const { data: sync } = await root.call<DirectorySync>('/directory_sync/create/', {
    body: {
      ...{ name: 'Book', sourceId: source.id, table: 'people', keyColumn: 'userid', mapping },
      thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 },
      schedule: { cron: '30 2 1 1 *', zone: 'UTC' },
    },
  })
  type Kept = { id: string; state: string; mode: string; counts: object }
  const runs = () => sql<Kept[]>`
    select id, state, mode, counts from directory_sync_runs where sync_id = ${sync.id} order by started_at`
  const state = async (id: string) => (await runs()).find((run) => run.id === id)?.state
  const { data: first } = await root.call<SyncRun>(`/directory_sync/${sync.id}/start/`, { body: { dryRun: false } })
  await until(async () => (await state(first.id)) === 'held', 60_000)
  await root.call(`/directory_sync_run/${first.id}/approve/`, { body: { reason: 'Looked at' } })
  await until(async () => (await state(first.id)) === 'done', 60_000)
  const { data: callback } = await root.call<{ url: string; token: string; aesKey: string }>(
    `/data_source/${source.id}/events/set_up/`,
    { body: {} },
  )
  const sender = qywxEvents({ ...callback, receiver: user }, now)

  for (let at = 0; at < PEOPLE; at++) {
    put(at, `Renamed ${at}`)
    await sender.send(changed.wecom(`k${at}`, at))
  }
  const takeOver = async () => {
    node.process.kill('SIGKILL')
    await node.ended
    // As if the silence had lasted long enough.
    await sql`update background_tasks set heartbeat_at = now() - interval '1 minute' where state = 'running'`
    node = await startNode(env)
  }
  const { reached, release } = await hold(
    sql,
    (held) => held`select from users where account = 'k60' for update`,
    '%for no key update%',
  )
  const readByName = () => vendor.calls.filter((call) => call.endsWith('/user/get')).length
  vendor.delayMs = 20
  const before = readByName()
  await startEventSyncs(server.platform)
  const [, run] = await runs()
  expect(run?.mode).toBe('incremental')
  await until(() => readByName() >= before + PEOPLE / 4, 60_000)
  expect(await state(run?.id ?? '')).toBe('reading')
  await takeOver()
  vendor.delayMs = 0
  // Everybody was read anew; now it waits in the middle of writing.
  await reached()
  expect(await state(run?.id ?? '')).toBe('applying')
  await takeOver()
  await release()
  await until(async () => (await state(run?.id ?? '')) === 'done', 120_000)
  const [people] = await sql`
    select count(*)::int as n, count(*) filter (where name like 'Renamed %')::int as renamed,
      (select count(*)::int from audit_records where action = 'account.update' and user_id is not null) as updates
    from users where account ~ '^k[0-9]+$'`
  expect(people).toEqual({ n: PEOPLE, renamed: PEOPLE, updates: PEOPLE })
  // What was seen is not looked at again.
  await startEventSyncs(server.platform)
  expect(await runs()).toMatchObject([
    { state: 'done', mode: 'full', counts: { new: PEOPLE } },
    { state: 'done', mode: 'incremental', counts: { changed: PEOPLE } },
  ])
})
