import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import type { DirectorySync, SyncRun } from '#shared/contract/directory-syncs.ts'
import { uploadFile } from '../../testing/data-sources.ts'
import { hold } from '../../testing/lock-waits.ts'
import { openPortal, type Portal } from '../../testing/portal.ts'
import { type NodeProcess, startNode, until } from '../../testing/process.ts'
import { type TestServer, testServer } from '../../testing/server.ts'

const SECRET_KEY = 'a test key of more than thirty-two characters'
const OPEN = { thresholds: { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 } }

let server: TestServer
let page: Portal
let node: NodeProcess
const env = () => ({ DATABASE_URL: server.platform.config.databaseUrl ?? '', SECRET_KEY })
beforeEach(async () => {
  server = await testServer()
  page = await openPortal(server, { isSuperUser: true })
  node = await startNode(env())
}, 60_000)

/** Ends the working node, and lets another one take over as if the heartbeat had timed out. */
async function kill(): Promise<void> {
  node.process.kill('SIGKILL')
  await node.ended
}
async function takeOver(): Promise<void> {
  await server.platform
    .sql`update background_tasks set heartbeat_at = now() - interval '1 minute' where state = 'running'`
  node = await startNode(env())
}

async function newSync(fields: object): Promise<DirectorySync> {
  const source = await page.call<{ id: string }>('/data_source/create/', { body: { name: 'S', kind: 'csv-upload' } })
  const body = { name: 'S', sourceId: source.data.id, ...OPEN, ...fields }
  return (await page.call<DirectorySync>('/directory_sync/create/', { body })).data
}

const stateOf = async (id: string) => {
  const [row] = await server.platform.sql`select state from directory_sync_runs where id = ${id}`
  return row?.['state'] as string
}
const reaches = (id: string, state: string) => until(async () => (await stateOf(id)) === state, 60_000)
const decide = async (id: string, verb: 'approve' | 'undo') => {
  const { envelope } = await page.call(`/directory_sync_run/${id}/${verb}/`, { body: { reason: 'Looked at' } })
  expect(envelope.state).toBe(200)
}
const start = async ({ id }: DirectorySync) =>
  (await page.call<SyncRun>(`/directory_sync/${id}/start/`, { body: { dryRun: false } })).data.id

test('a node that is killed while it undoes a run leaves complete batches; another one undoes the rest, and nobody twice', {
  timeout: 180_000,
}, async () => {
  const { sql } = server.platform
  const rows = 3000
  const mapping = ['account', 'name'].map((field) => ({ column: field, field }))
  const sync = await newSync({ keyColumn: 'no', mapping })
  const lines = Array.from({ length: rows }, (_, at) => `K${at},k${at},Person ${at}`)
  await uploadFile(page, sync.sourceId, `no,account,name\n${lines.join('\n')}\n`)
  const run = await start(sync)
  await reaches(run, 'held')
  await decide(run, 'approve')
  await reaches(run, 'done')
  const figures = async () => {
    const [row] = await sql<{ undone: number; deleted: number; records: number }[]>`
      select (select count(*)::int from directory_sync_rows where undo = 'removed') as undone,
        (select count(*)::int from users where account ~ '^k[0-9]' and deleted_at is not null) as deleted,
        (select count(*)::int from audit_records where action = 'account.delete') as records`
    return row ?? { undone: 0, deleted: 0, records: 0 }
  }
  await decide(run, 'undo')
  while ((await figures()).undone === 0) await pause(2)
  await kill()
  expect(await stateOf(run)).toBe('undoing')
  const halfway = await figures()
  expect(halfway.undone).toBeLessThan(rows)
  expect(halfway).toEqual({ undone: halfway.undone, deleted: halfway.undone, records: halfway.undone })
  await takeOver()
  await reaches(run, 'undone')
  expect(await figures()).toEqual({ undone: rows, deleted: rows, records: rows })
})

test('a node that is killed while it writes or undoes departments leaves the tree as it was, and another one does it once', {
  timeout: 180_000,
}, async () => {
  const { sql } = server.platform
  const count = 300
  const mapping = ['code', 'name'].map((field) => ({ column: field, field, transforms: [] }))
  const departments = { keyColumn: 'code', parentColumn: 'parent', mapping }
  const sync = await newSync({ objects: 'departments', keyColumn: '', mapping: [], departments })
  const give = (name: string) => {
    const lines = Array.from({ length: count }, (_, at) => `d${at},${at === 0 ? '' : 'd0'},${name} ${at}`)
    return uploadFile(page, sync.sourceId, `code,parent,name\n${lines.join('\n')}\n`)
  }
  const names = async () => {
    const rows = await sql<{ word: string; count: number }[]>`
      select split_part(name, ' ', 1) as word, count(*)::int as count from organizations where code ~ '^d[0-9]' group by 1`
    return Object.fromEntries(rows.map(({ word, count: n }) => [word, n]))
  }
  await give('Former')
  const first = await start(sync)
  await reaches(first, 'held')
  await decide(first, 'approve')
  await reaches(first, 'done')

  await give('Renamed')
  const links = await hold(
    sql,
    (held) => held`select from directory_department_links where external_id = 'd7' for update`,
    '%directory_department_links%',
  )
  const second = await start(sync)
  await links.reached()
  await kill()
  await links.release()
  expect([await stateOf(second), await names()]).toEqual(['applying', { Former: count }])
  await takeOver()
  await reaches(second, 'done')
  expect(await names()).toEqual({ Renamed: count })

  const marks = await hold(
    sql,
    (held) => held`select from directory_sync_rows where run_id = ${second} and row = 7 for update`,
    '%update directory_sync_rows%',
  )
  await decide(second, 'undo')
  await marks.reached()
  await kill()
  await marks.release()
  expect([await stateOf(second), await names()]).toEqual(['undoing', { Renamed: count }])
  await takeOver()
  await reaches(second, 'undone')
  expect(await names()).toEqual({ Former: count })
  // Once by the run and once by its undo.
  const changes = await sql`
    select distinct n from (select count(*)::int as n from audit_records where action = 'organization.update'
      and target_id in (select id::text from organizations where code ~ '^d[0-9]') group by target_id) a`
  expect([...changes]).toEqual([{ n: 2 }])
})
