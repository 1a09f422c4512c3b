/**
 * What a directory sync from MySQL or MariaDB takes:
 *   npm run bench:sync -- [--people 200000] [--departments 10000] [--mysql mysql://root@127.0.0.1:3306] [--database postgres://…]
 * Seconds, CPU of the server with its database, and the server's memory above idle: the first run, one of which nothing has changed,
 * and one of the hundredth part that did, by its cursor. People log in by password meanwhile, `--logins` a second (0: nobody), and a
 * minute before, when the server has answered some. Makes a database of its own on the server and drops it.
 */
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Connection, createConnection } from 'mysql2/promise'
import type { SyncRun } from '../shared/contract/directory-syncs.ts'
import { startBackgroundLogins } from './background-logins.ts'
import { asked, type Visitor } from './client.ts'
import { percentile } from './measure.ts'
import { pause, withMeasuredSite } from './measured.ts'
import type { Site } from './site.ts'

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '200000' },
    departments: { type: 'string', default: '10000' },
    mysql: { type: 'string', default: 'mysql://root@127.0.0.1:3306' },
    database: { type: 'string' },
    logins: { type: 'string', default: '10' },
  },
})
const PEOPLE = Number(options.people)
const DEPARTMENTS = Number(options.departments)
const LOGINS = Number(options.logins)
const WARM_UP_MS = 10_000
const ALONE_MS = 60_000
const name = `gatehouse_bench_${randomUUID().slice(0, 8)}`
const password = randomUUID()

async function fill(admin: Connection): Promise<void> {
  await admin.query(`create database ${name} character set utf8mb4`)
  await admin.query(`create user ${name}@'%' identified by '${password}'`)
  await admin.query(`grant select on ${name}.* to ${name}@'%'`)
  await admin.query(`use ${name}`)
  await admin.query(
    'create table departments (no int primary key, above varchar(20), code varchar(20), name varchar(60))',
  )
  // Ten children each, so that the tree has four levels.
  await admin.query(
    `insert into departments select seq, if(seq <= 10, '', floor((seq - 1) / 10)), concat('D', seq), concat('学院 ', seq) from seq_1_to_${DEPARTMENTS}`,
  )
  await admin.query(
    'create table people (no int primary key, account varchar(20), name varchar(60), department varchar(20), mailbox varchar(60), written datetime, key (written))',
  )
  await admin.query(
    `insert into people select seq, concat('2026', lpad(seq, 8, '0')), concat('王伟 ', seq), 1 + seq % ${DEPARTMENTS},
       concat('s', seq, '@bench.edu.cn'), date_sub('2026-01-01 08:00:00', interval seq second) from seq_1_to_${PEOPLE}`,
  )
}

const mapping = (fields: Record<string, string>) =>
  Object.entries(fields).map(([column, field]) => ({ column, field, transforms: [] }))

async function makeSync(visitor: Visitor): Promise<string> {
  const { hostname, port } = new URL(options.mysql)
  const source = await asked<{ id: string }>(
    visitor,
    '/data_source/create/',
    {},
    {
      ...{
        name: 'Bench',
        kind: 'mysql',
        host: hostname,
        port: Number(port) || 3306,
        database: name,
        user: name,
        password,
      },
      ...{ tls: 'off', timeoutSeconds: 60 },
    },
  )
  const most = { missing: 100, changed: 100, created: 100, field: 100, bad: 100, rows: 0 }
  const departments = {
    table: 'departments',
    keyColumn: 'no',
    parentColumn: 'above',
    mapping: mapping({ code: 'code', name: 'name' }),
  }
  const people = mapping({ account: 'account', name: 'name', department: 'organization', mailbox: 'mailbox' })
  const sync = await asked<{ id: string }>(
    visitor,
    '/directory_sync/create/',
    {},
    {
      ...{ name: 'Bench', sourceId: source.id, objects: 'both', departments, table: 'people', keyColumn: 'no' },
      ...{ mapping: people, cursorColumn: 'written', thresholds: most },
    },
  )
  return sync.id
}

/** Starts a run and confirms held ones, until people and departments are done. */
async function runAll(visitor: Visitor, syncId: string, incremental: boolean): Promise<SyncRun[]> {
  await asked(visitor, `/directory_sync/${syncId}/start/`, {}, { dryRun: false, incremental })
  for (;;) {
    const { records } = await asked<{ records: SyncRun[] }>(visitor, '/directory_sync_run/query/', { syncId })
    const [latest] = records
    if (latest?.state === 'failed') throw new Error(`the run failed: ${latest.problem}`)
    if (latest?.state === 'held')
      await asked(visitor, `/directory_sync_run/${latest.id}/approve/`, {}, { reason: 'Bench' })
    if (latest?.state === 'done' && latest.objects === 'people') return records.slice(0, 2)
    await pause(250)
  }
}

/** Says how long logins took while something was done. */
async function withLogins(site: Site, work: () => Promise<unknown>): Promise<void> {
  const stop = LOGINS > 0 ? startBackgroundLogins(site, LOGINS) : null
  await work()
  const figures = await stop?.()
  if (!figures) return
  const { asked: all, failed, p50, times, p99 } = figures
  console.log(
    `  logins: ${all}, ${failed} failed, p50 ${p50.toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  )
}

async function logInFor(site: Site, ms: number): Promise<void> {
  const stop = startBackgroundLogins(site, LOGINS)
  await pause(ms)
  await stop()
}

async function main(): Promise<void> {
  const admin = await createConnection({ uri: options.mysql, charset: 'UTF8MB4_UNICODE_CI' })
  await fill(admin)
  try {
    console.log(`${PEOPLE} people, ${DEPARTMENTS} departments`)
    await withMeasuredSite(options.database, async ({ site, visitor, step }) => {
      const syncId = await makeSync(visitor)
      const sync = async (title: string, incremental: boolean) => {
        let runs: SyncRun[] = []
        await withLogins(site, () =>
          step(title, async () => {
            runs = await runAll(visitor, syncId, incremental)
          }),
        )
        for (const { objects, mode, counts } of runs.toReversed())
          console.log(`  ${objects}, ${mode}: ${JSON.stringify(counts)}`)
      }
      if (LOGINS > 0) {
        await logInFor(site, WARM_UP_MS)
        await withLogins(site, () => pause(ALONE_MS))
      }
      await sync('first', false)
      await sync('unchanged', false)
      await admin.query(
        `update people set name = concat(name, ' II'), written = '2026-02-01 08:00:00' where no % 100 = 0`,
      )
      await sync('1 % by cursor', true)
    })
  } finally {
    await admin.query(`drop database ${name}`)
    await admin.query(`drop user ${name}@'%'`)
    await admin.end()
  }
}

await main()
