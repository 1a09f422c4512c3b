import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { until } from '../testing/process.ts'
import { silentProxy, slowProxy } from '../testing/proxy.ts'
import { isRefusingWrites, openDatabase } from './db.ts'

type Options = NonNullable<Parameters<typeof openDatabase>[1]>

function open(url: string, options: Options) {
  const sql = openDatabase(url, options)
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}

const direct = () => open(inject('adminUrl'), { max: 1 })

/** The number of the server's sessions that hold this lock or wait for it. */
async function holders(key: number): Promise<number> {
  const [row] = await direct()<{ count: number }[]>`
    select count(*)::int as count from pg_locks where locktype = 'advisory' and objid = ${key}`
  return row?.count ?? 0
}

test('all connections that died silently are replaced within five seconds of recovery, idle ones too', async () => {
  const proxy = await silentProxy(inject('adminUrl'))
  const sql = open(proxy.url, { max: 4 })
  await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.1)`))
  proxy.swallow()
  const lost = sql`select 1`.catch((error: { code: string }) => error.code)
  await pause(2500)
  proxy.letNewOnesPass()
  const began = performance.now()
  expect(await lost).toBe('CONNECTION_CLOSED')
  await Promise.all(Array.from({ length: 8 }, () => sql`select 1`))
  expect(performance.now() - began).toBeLessThan(5000)
}, 20_000)

test('if new connections always worked, each dead one is replaced within three seconds', async () => {
  const proxy = await silentProxy(inject('adminUrl'))
  const sql = open(proxy.url, { max: 2 })
  await Promise.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`])
  proxy.swallow()
  proxy.letNewOnesPass()
  const began = performance.now()
  await Promise.allSettled([sql`select 1`, sql`select 1`])
  expect(await Promise.all([sql`select 2 as two`, sql`select 2 as two`])).toHaveLength(2)
  expect(performance.now() - began).toBeLessThan(3000)
}, 20_000)

test('a transaction on a dead connection fails, and its locks are released on the server', async () => {
  const key = 815_4711
  const proxy = await silentProxy(inject('adminUrl'))
  const sql = open(proxy.url, { max: 2 })
  const work = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${key})`
    proxy.swallow()
    proxy.letNewOnesPass()
    await tx`select 1`
  })
  await expect(work).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await until(async () => (await holders(key)) === 0, 3000)
}, 20_000)

test('a long-running statement is left alone, and one that waits for a lock', async () => {
  const key = 815_4712
  const replaced: number[] = []
  const sql = open(inject('adminUrl'), { max: 3, onReplaced: (count) => replaced.push(count) })
  const work = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${key})`
    await tx`select pg_sleep(3)`
    // A transaction between two statements is left alone as well.
    await pause(1500)
    return 'done'
  })
  await pause(200)
  const waiting = sql.begin((tx) => tx`select pg_advisory_xact_lock(${key})`)
  expect(await work).toBe('done')
  await waiting
  expect(replaced).toEqual([])
}, 20_000)

test('a statement of the pool for requests is cancelled when its time is over, on the server too', async () => {
  const key = 815_4713
  const sql = open(inject('adminUrl'), { max: 2, maxStatementMs: 1000 })
  const began = performance.now()
  const slow = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${key})`
    await tx`select pg_sleep(30)`
  })
  await expect(slow).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(performance.now() - began).toBeLessThan(3000)
  await until(async () => (await holders(key)) === 0, 3000)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
}, 20_000)

test('notifications arrive again within five seconds after the listening connection died silently', async () => {
  const proxy = await silentProxy(inject('adminUrl'))
  const sql = open(proxy.url, { max: 1 })
  const heard: string[] = []
  let listening = 0
  await sql.listen(
    'guard_test',
    (text) => heard.push(text),
    () => listening++,
  )
  proxy.swallow()
  proxy.letNewOnesPass()
  expect(await until(() => listening === 2, 5000)).toBeLessThan(5000)
  await direct()`select pg_notify('guard_test', 'again')`
  await until(() => heard.includes('again'), 1000)
}, 20_000)

test('a copy into a table is left alone while its rows are being produced', async () => {
  const replaced: number[] = []
  const sql = open(inject('adminUrl'), { max: 2, onReplaced: (count) => replaced.push(count) })
  await sql.begin(async (tx) => {
    await tx`create temporary table copied (line text) on commit drop`
    const copy = await tx`copy copied from stdin`.writable()
    copy.write('one\n')
    await pause(2500)
    copy.end('two\n')
    await new Promise((done) => copy.once('finish', done))
    expect(await tx`select count(*)::int as lines from copied`).toEqual([{ lines: 2 }])
  })
  expect(replaced).toEqual([])
}, 20_000)

test('a large statement that takes seconds to send over a slow line is left alone', async () => {
  const replaced: number[] = []
  const url = await slowProxy(inject('adminUrl'), 8 * 1024 * 1024)
  const sql = open(url, { max: 1, onReplaced: (count) => replaced.push(count) })
  const bytes = Buffer.alloc(16 * 1024 * 1024)
  // Sent as hexadecimal digits, two per byte.
  expect(await sql`select octet_length(${bytes}::bytea) as size`).toEqual([{ size: bytes.length }])
  expect(replaced).toEqual([])
}, 60_000)

test('a role without permission for temporary tables notices too when writes work again', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const admin = open(database.url, { max: 1 })
  const role = `writer_${process.pid}`
  await admin.unsafe(`
    create role ${role} login password 'secret';
    revoke temporary on database ${new URL(database.url).pathname.slice(1)} from public;
    grant create on schema public to ${role};
    alter role ${role} set default_transaction_read_only = on`)
  onTestFinished(async () => void (await admin.unsafe(`drop owned by ${role}; drop role ${role}`)))
  const url = new URL(database.url)
  url.username = role
  url.password = 'secret'
  const sql = open(url.href, { max: 1 })
  const write = () => sql`create table written (id int)`
  await expect(write()).rejects.toMatchObject({ code: '25006' })
  expect(isRefusingWrites(sql)).toBe(true)
  // Long enough for trial writes to open sessions, which stay read-only as long as they last.
  await pause(2500)
  expect(isRefusingWrites(sql)).toBe(true)
  await admin.unsafe(`alter role ${role} set default_transaction_read_only = off`)
  await until(() => !isRefusingWrites(sql), 10_000)
  await write()
}, 30_000)
