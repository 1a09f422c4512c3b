import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { v7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import type { ImpactFigure } from '#shared/contract/policy-impact.ts'
import type { RecordRetention } from '#shared/contract/record-retention.ts'
import { checkArchiveFolder, ensureArchiveFolder } from '../../platform/archive-folder.ts'
import { openPortal } from '../../testing/portal.ts'
import { type TestServer, testServer } from '../../testing/server.ts'
import { setPolicy } from '../../testing/sign-in.ts'
import { rollUp } from '../statistics/index.ts'
import { dropExpiredRecords } from './index.ts'
import { archivePartition } from './record-archive.store.ts'

const DAY = 86_400
const MONTHS = 9

/** The first day of the month this many months ago. */
function monthAt({ platform }: TestServer, back: number): Date {
  const now = platform.now()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
}

const nameOf = (kind: string, month: Date) => `${kind}_records_${month.toISOString().slice(0, 7).replace('-', '_')}`

/** A server with some months of records, a login on the second day of each. */
async function oldServer(env: Record<string, string> = {}): Promise<TestServer> {
  const server = await testServer({ env })
  const { sql } = server.platform
  await sql`select ensure_record_partitions(${monthAt(server, MONTHS).toISOString().slice(0, 10)}::date, ${MONTHS})`
  for (let back = 1; back <= MONTHS; back += 1)
    await insertLoginAt(server, monthAt(server, back).getTime() + DAY * 1000)
  await sql`analyze login_records`
  return server
}

const insertLoginAt = (server: TestServer, time: number, sql = server.platform.sql) => sql`
  insert into login_records (id, at, account, auth_type, succeeded, ip, user_agent, browser, device, client_type, on_campus, request_id)
  values (${v7()}, ${new Date(time)}, 'old', 'user', true, '192.0.2.1', '', '', '', 'pc', false, '')`

/** As if the statistics had counted everything. */
const markCounted = (server: TestServer) => server.platform.sql`
  insert into statistics_progress (counted_until, first_hour, recounted_until)
  values (${server.platform.now()}, ${monthAt(server, MONTHS)}, ${server.platform.now()})`

const tables = async ({ platform: { sql } }: TestServer, kind: string) =>
  (
    await sql<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent = ${`${kind}_records`}::regclass order by 1`
  ).map(({ name }) => name)

const details = async (server: TestServer) => {
  const page = await openPortal(server, { isSuperUser: true })
  return (await page.call<RecordRetention>('/record_retention/details/')).data
}

test('whole months that are older than their retention are dropped, each kind by its own, and nothing else', async () => {
  const server = await oldServer()
  await markCounted(server)
  await setPolicy(server, { retention: { login: 180, visit: 3650, audit: 400 } })
  const before = { login: await tables(server, 'login'), visit: await tables(server, 'visit') }
  // What the database estimates does not include it.
  await insertLoginAt(server, monthAt(server, MONTHS).getTime() + DAY * 1000)
  await dropExpiredRecords(server.platform)
  const limit = server.platform.now().getTime() - 180 * DAY * 1000
  const isKept = (back: number) => monthAt(server, back - 1).getTime() > limit
  const kept = Array.from({ length: MONTHS }, (_, at) => at + 1).filter(isKept)
  const gone = Array.from({ length: MONTHS }, (_, at) => at + 1).filter((back) => !isKept(back))
  expect(gone.length).toBeGreaterThan(1)
  const left = await tables(server, 'login')
  for (const back of kept) expect(left).toContain(nameOf('login', monthAt(server, back)))
  for (const back of gone) expect(left).not.toContain(nameOf('login', monthAt(server, back)))
  expect(left).toHaveLength(before.login.length - gone.length)
  expect(left).toContain('login_records_other')
  expect(await tables(server, 'visit')).toEqual(before.visit)
  const lines = await server.platform.sql`
    select target_id as name, before->>'rows' as rows from audit_records where action = 'records.drop' and target_id like 'login%'
    order by 1`
  expect(lines.map(({ rows }) => rows)).toEqual(['2', ...gone.slice(1).map(() => '1')])
  await dropExpiredRecords(server.platform)
  expect(await tables(server, 'login')).toEqual(left)
})

test('figures of dropped months stay, and what is not counted yet stays until it is', async () => {
  const server = await oldServer()
  await setPolicy(server, { retention: { login: 180, visit: 180, audit: 180 } })
  const before = await tables(server, 'login')
  await dropExpiredRecords(server.platform)
  expect(await tables(server, 'login')).toEqual(before)
  await rollUp(server.platform)
  const hours = () => server.platform.sql`select hour, logins from login_hours order by hour`
  const counted = await hours()
  await dropExpiredRecords(server.platform)
  expect((await tables(server, 'login')).length).toBeLessThan(before.length)
  await rollUp(server.platform)
  expect(await hours()).toEqual(counted)
})

test('a login being written is not blocked, and its month waits for the next run', async () => {
  const server = await oldServer()
  await markCounted(server)
  await setPolicy(server, { retention: { login: 180, visit: 3650, audit: 3650 } })
  const { sql } = server.platform
  const oldest = nameOf('login', monthAt(server, MONTHS))
  const waited = await sql.begin(async (tx) => {
    await insertLoginAt(server, server.platform.now().getTime(), tx as never)
    const running = dropExpiredRecords(server.platform).then(
      () => 'done',
      (error: Error) => error.name,
    )
    const began = performance.now()
    await insertLoginAt(server, server.platform.now().getTime())
    const ms = performance.now() - began
    expect(await running).toBe('RecordsBusyError')
    return ms
  })
  expect(waited).toBeLessThan(2000)
  expect(await tables(server, 'login')).toContain(oldest)
  await dropExpiredRecords(server.platform)
  expect(await tables(server, 'login')).not.toContain(oldest)
})

test('the page shows records per month, the last run with its result, and the next', async () => {
  const server = await oldServer()
  await markCounted(server)
  await setPolicy(server, { retention: { login: 180, visit: 180, audit: 180 } })
  expect(await details(server)).toMatchObject({ lastRun: null, dropped: [] })
  expect((await details(server)).months.filter(({ kind }) => kind === 'login').length).toBeGreaterThanOrEqual(MONTHS)
  await dropExpiredRecords(server.platform)
  const { dropped, nextRun } = await details(server)
  expect(dropped.length).toBeGreaterThan(1)
  expect(dropped.map(({ kind }) => kind)).toContain('login')
  expect(Date.parse(nextRun)).toBeGreaterThan(server.platform.now().getTime())
  for (const [finished, error, result] of [
    ['2020-01-01', null, 'running'],
    ['2030-01-01', null, 'done'],
    ['2030-01-01', 'RecordsBusyError', 'busy'],
    ['2030-01-01', 'TypeError', 'failed'],
  ] as const) {
    await server.platform.sql`
      insert into job_runs (name, cron, started_at, finished_at, error)
      values ('record-retention.run', '', '2025-01-01', ${finished}, ${error})
      on conflict (name) do update set finished_at = excluded.finished_at, error = excluded.error`
    expect((await details(server)).lastRun).toEqual({ at: '2025-01-01T00:00:00.000Z', result })
  }
})

async function archiveFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'records-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

test('an archived month is searched by the command of the documentation, which finds a file that was changed', async () => {
  const dir = join(await archiveFolder(), 'archive')
  const server = await oldServer({ RECORD_ARCHIVE_DIR: dir })
  await markCounted(server)
  await setPolicy(server, { retention: { login: 180, visit: 3650, audit: 3650 } })
  await dropExpiredRecords(server.platform)
  const manual = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const command = /```sh\n(cd "\$RECORD_ARCHIVE_DIR" .*zgrep.*)\n```/.exec(manual)?.[1] ?? ''
  const search = () =>
    promisify(execFile)('sh', ['-c', command.replace('20260001', 'old')], {
      env: { ...process.env, RECORD_ARCHIVE_DIR: dir },
    })
  const archives = (await readdir(dir)).filter((name) => name.endsWith('.csv.gz'))
  const found = (await search()).stdout.trim().split('\n')
  expect(found).toHaveLength(archives.length)
  expect(found.every((row) => row.includes(',old,'))).toBe(true)
  await writeFile(join(dir, archives[0] ?? ''), 'changed')
  await expect(search()).rejects.toMatchObject({ stdout: expect.not.stringContaining(',old,') })
})

test('a month is archived whole before it is deleted, with its sum in the audit record and on the page', async () => {
  const dir = await archiveFolder()
  const server = await oldServer({ RECORD_ARCHIVE_DIR: join(dir, 'archive') })
  await markCounted(server)
  await setPolicy(server, { retention: { login: 180, visit: 3650, audit: 3650 } })
  expect((await details(server)).isArchived).toBe(true)
  const oldest = nameOf('login', monthAt(server, MONTHS))
  await dropExpiredRecords(server.platform)
  const bytes = await readFile(join(dir, 'archive', `${oldest}.csv.gz`))
  const [head = '', ...rows] = gunzipSync(bytes).toString().trim().split('\n')
  expect(head.split(',')).toEqual(expect.arrayContaining(['id', 'at', 'account', 'ip']))
  expect(rows).toHaveLength(1)
  expect(rows[0]).toContain(',old,')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(await readFile(join(dir, 'archive', `${oldest}.csv.gz.sha256`), 'utf8')).toBe(`${sha256}  ${oldest}.csv.gz\n`)
  const [line] = await server.platform.sql`
    select before from audit_records where action = 'records.drop' and target_id = ${oldest}`
  expect(line?.['before']).toMatchObject({ archive: `${oldest}.csv.gz`, sha256 })
  expect((await details(server)).dropped.map(({ archive }) => archive)).toContain(`${oldest}.csv.gz`)
  expect((await readdir(join(dir, 'archive'))).filter((name) => name.endsWith('.part'))).toEqual([])
})

test('a month is archived anew where its file is gone, and beside one with other content, as of another installation', async () => {
  const dir = join(await archiveFolder(), 'archive')
  const server = await oldServer({ RECORD_ARCHIVE_DIR: dir })
  await markCounted(server)
  await setPolicy(server, { retention: { login: 180, visit: 3650, audit: 3650 } })
  const [gone, others] = [MONTHS, MONTHS - 1].map((age) => nameOf('login', monthAt(server, age))) as [string, string]
  await mkdir(dir)
  await writeFile(join(dir, `${gone}.csv.gz.sha256`), `${'0'.repeat(64)}  ${gone}.csv.gz\n`)
  const theirs = `${createHash('sha256').update('theirs').digest('hex')}  ${others}.csv.gz\n`
  await writeFile(join(dir, `${others}.csv.gz`), 'theirs')
  await writeFile(join(dir, `${others}.csv.gz.sha256`), theirs)
  await dropExpiredRecords(server.platform)
  for (const name of [gone, `${others}-2`])
    expect(gunzipSync(await readFile(join(dir, `${name}.csv.gz`))).toString()).toContain(',old,')
  expect(await readFile(join(dir, `${others}.csv.gz`), 'utf8')).toBe('theirs')
  expect(await readFile(join(dir, `${others}.csv.gz.sha256`), 'utf8')).toBe(theirs)
  const archives = (await details(server)).dropped.map(({ archive }) => archive)
  expect(archives).toEqual(expect.arrayContaining([`${gone}.csv.gz`, `${others}-2.csv.gz`]))
  await promisify(execFile)('sh', ['-c', `cd ${dir} && sha256sum -c --quiet *.sha256`])
})

test('a month that was archived before its run ended keeps its file', async () => {
  const dir = join(await archiveFolder(), 'archive')
  const { platform } = await oldServer({ RECORD_ARCHIVE_DIR: dir })
  const [name = ''] = await tables({ platform } as TestServer, 'login')
  const first = await archivePartition(platform.sql, dir, name)
  expect(await archivePartition(platform.sql, dir, name)).toEqual(first)
  expect((await readdir(dir)).toSorted()).toEqual([`${name}.csv.gz`, `${name}.csv.gz.sha256`])
})

test('an archive folder that is away keeps no node from starting, and the page says why nothing is deleted', async () => {
  // Nobody can make a folder there, not even root.
  const recordArchiveDir = '/sys/archive'
  expect(await ensureArchiveFolder({ recordArchiveDir })).toMatch(/^E[A-Z]+$/)
  await checkArchiveFolder({ recordArchiveDir })
  const server = await testServer({ env: { RECORD_ARCHIVE_DIR: recordArchiveDir } })
  expect(await details(server)).toMatchObject({ isArchived: true, archiveProblem: 'ENOENT' })
  const file = join(await archiveFolder(), 'file')
  await writeFile(file, '')
  for (const check of [checkArchiveFolder, ensureArchiveFolder])
    await expect(check({ recordArchiveDir: file })).rejects.toThrow("RECORD_ARCHIVE_DIR can't be used")
})

test('a month that can not be archived stays', async () => {
  const dir = await archiveFolder()
  const blocked = join(dir, 'archive')
  await writeFile(blocked, 'not a folder')
  await chmod(blocked, 0o400)
  const server = await oldServer({ RECORD_ARCHIVE_DIR: blocked })
  await markCounted(server)
  await setPolicy(server, { retention: { login: 180, visit: 3650, audit: 3650 } })
  const before = await tables(server, 'login')
  await expect(dropExpiredRecords(server.platform)).rejects.toThrow('EEXIST')
  expect(await tables(server, 'login')).toEqual(before)
})

test('a draft says how many records the next run deletes, which it then does', async () => {
  const server = await oldServer()
  await markCounted(server)
  const page = await openPortal(server, { isSuperUser: true, account: 'root' })
  const retention = { login: 180, visit: 400, audit: 400 }
  const body = { changes: { retention } }
  const { data } = await page.call<{ figures: ImpactFigure[] }>('/policy_impact/login_config/', { body })
  const figure = data.figures.find(({ key }) => key === 'records-dropped')
  const predicted = figure?.count ?? 0
  const months = figure?.months ?? []
  expect(months.reduce((sum, { rows }) => sum + rows, 0)).toBe(predicted)
  const count = async () => (await server.platform.sql`select from login_records where account = 'old'`).length
  const before = await count()
  const kept = await tables(server, 'login')
  await setPolicy(server, { retention })
  await dropExpiredRecords(server.platform)
  expect(predicted).toBeGreaterThan(1)
  expect(before - (await count())).toBe(predicted)
  const left = await tables(server, 'login')
  const gone = kept.filter((name) => !left.includes(name))
  expect(
    months
      .filter(({ kind }) => kind === 'login')
      .map(({ month }) => month)
      .toSorted(),
  ).toEqual(gone.map((name) => name.slice(-7).replace('_', '-')).toSorted())
})

test.each([{ login: 179 }, { visit: 3651 }, { audit: 0 }])('a retention out of bounds is rejected: %o', async (bad) => {
  const server = await testServer()
  const page = await openPortal(server, { isSuperUser: true })
  const changes = { retention: { login: 400, visit: 400, audit: 400, ...bad } }
  const refused = await page.call('/login_config/update/', { body: { version: 0, changes } })
  expect([refused.status, JSON.stringify(refused.data)]).toEqual([
    400,
    expect.stringContaining(Object.keys(bad)[0] ?? ''),
  ])
})
