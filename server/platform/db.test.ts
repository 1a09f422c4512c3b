import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { until } from '../testing/process.ts'
import { randomToken } from './crypto.ts'
import { openDatabase } from './db.ts'

function open(max: number, options: Parameters<typeof openDatabase>[1] = {}, url: string = inject('adminUrl')) {
  const sql = openDatabase(url, { max, ...options })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}

test('a held connection whose backend died refuses its next statement instead of ending the process', async () => {
  const sql = open(2)
  const held = await sql.reserve()
  const [row] = await held<{ pid: number }[]>`select pg_backend_pid() as pid`
  await sql`select pg_terminate_backend(${row?.pid ?? 0})`
  await expect(held`select 1`).rejects.toThrow()
  await expect(held`select 2`).rejects.toMatchObject({ code: expect.stringMatching(/^CONNECTION_/) })
  held.release()
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }])
})

test('a transaction whose connection was cut does not go on outside of it', async () => {
  const [sql, killer] = [open(1), open(1)]
  const table = `cut_${randomToken(10).toLowerCase()}`
  await killer.unsafe(`create table ${table} (step int)`)
  const late: Promise<unknown>[] = []
  const work = sql.begin(async (tx) => {
    await tx`insert into ${tx(table)} values (1)`
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await killer`select pg_terminate_backend(${row?.pid ?? 0})`
    // The pool has a new connection by now, which is not this transaction's.
    await until(async () => (await sql`select 1 as one`.catch(() => [])).length === 1, 5000)
    late.push(tx`insert into ${tx(table)} values (2)`.execute().catch((error: unknown) => error))
    await Promise.all(late)
  })
  await expect(work).rejects.toThrow()
  await until(() => late.length === 1, 5000)
  expect((await Promise.all(late))[0]).toBeInstanceOf(Error)
  expect(await killer.unsafe(`select * from ${table}`)).toEqual([])
  await killer.unsafe(`drop table ${table}`)
})

/** The process behind one of the connections; 0 when that one was just cut. */
const pidOf = (sql: ReturnType<typeof open>): Promise<number> =>
  sql<{ pid: number }[]>`select pg_backend_pid() as pid`.then(
    ([row]) => row?.pid ?? 0,
    () => 0,
  )

test('connections that are cut while statements are on their way serve again', { timeout: 20_000 }, async () => {
  const [victim, killer] = [open(4), open(1)]
  for (let round = 0; round < 20; round++) {
    const pids = await Promise.all(Array.from({ length: 4 }, () => pidOf(victim)))
    const cut = pids.filter((pid) => pid !== 0)
    const work = Array.from({ length: 40 }, (_, index) => victim`select ${index}::int as index`.catch(() => null))
    await killer`select pg_terminate_backend(pid) from unnest(${cut}::int[]) as pid`
    await Promise.all(work)
  }
  // Whatever was still being cut is noticed by one statement at most; from then on all connections serve.
  await Promise.allSettled(Array.from({ length: 8 }, () => victim`select 1`))
  const answers = await Promise.all(Array.from({ length: 8 }, () => victim`select 1 as one`))
  expect(answers.flat()).toHaveLength(8)
})

test('connections that only a busy moment needed are closed, and the one in use stays', {
  timeout: 20_000,
}, async () => {
  const sql = open(4, { idleSeconds: 1 })
  const rows = await Promise.all(
    Array.from({ length: 4 }, () => sql<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.2)`),
  )
  const pids = rows.flat().map(({ pid }) => pid)
  expect(new Set(pids).size).toBe(4)
  const alive = async () => {
    const [row] = await sql<{ left: number; used: number }[]>`
      select count(*)::int as left, pg_backend_pid() as used from pg_stat_activity where pid = any(${pids})`
    return row
  }
  await until(async () => (await alive())?.left === 1, 10_000)
  expect(pids).toContain((await alive())?.used)
})

/** The same server through a door that lets in the first connection only; the others stay outside without a word. */
async function slowDoor(): Promise<string> {
  const url = new URL(inject('adminUrl'))
  const folder = decodeURIComponent(url.hostname)
  const there = folder.startsWith('/')
    ? { path: `${folder}/.s.PGSQL.${url.port || 5432}` }
    : { host: url.hostname, port: Number(url.port || 5432) }
  const sockets: Socket[] = []
  const door = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    if (sockets.length > 1) return
    const inside = connect(there)
    socket.pipe(inside).pipe(socket)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    door.close()
  })
  await once(door, 'listening')
  url.hostname = '127.0.0.1'
  url.port = String((door.address() as AddressInfo).port)
  return url.href
}

test('a statement does not wait for one more connection when another is free sooner', async () => {
  const sql = open(3, {}, await slowDoor())
  await sql`select 1`
  const began = performance.now()
  const [, second] = await Promise.all([sql`select pg_sleep(0.2)`, sql`select 2 as two`])
  expect(second).toEqual([{ two: 2 }])
  // After 1.5 seconds the attempt to connect is over, and with it went the statement.
  expect(performance.now() - began).toBeLessThan(1200)
})

type Queue = { push(one: object): void; shift(): object; remove(one: object): unknown; length: number }

test('the queue of idle connections stays as short as it is, however many statements it has seen', async () => {
  const file = new URL('../../node_modules/postgres/src/queue.js', import.meta.url).href
  const { default: createQueue }: { default: (initial: object[]) => Queue } = await import(file)
  const connections = [{ id: 1 }, { id: 2 }, { id: 3 }]
  const queue = createQueue(connections)
  const started = process.cpuUsage()
  // As the pool does it: the one that waited longest is taken, looked for, and put back.
  for (let statement = 0; statement < 200_000; statement++) {
    const one = queue.shift()
    queue.remove(one)
    queue.push(one)
  }
  expect(queue.length).toBe(3)
  expect(queue.remove(connections[2] ?? {})).toBe(connections[2])
  expect(queue.length).toBe(2)
  const spent = process.cpuUsage(started)
  // Searched from the beginning of all it had ever held, this took 5.5 seconds of processor time.
  expect((spent.user + spent.system) / 1000).toBeLessThan(3000)
})
