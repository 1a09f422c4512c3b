import { expect, inject, onTestFinished, test } from 'vitest'
import { until } from '../testing/process.ts'
import { openDatabase } from './db.ts'

function open(max: number) {
  const sql = openDatabase(inject('adminUrl'), { max })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}

/** The server process of one of the connections; 0 if that one was just cut. */
const pidOf = (sql: ReturnType<typeof open>): Promise<number> =>
  sql<{ pid: number }[]>`select pg_backend_pid() as pid`.then(
    ([row]) => row?.pid ?? 0,
    () => 0,
  )

test('connections cut while statements are in progress work again', { timeout: 20_000 }, async () => {
  const [victim, killer] = [open(4), open(1)]
  for (let round = 0; round < 20; round++) {
    const pids = await Promise.all(Array.from({ length: 4 }, () => pidOf(victim)))
    const cut = pids.filter((pid) => pid !== 0)
    const work = Array.from({ length: 40 }, (_, index) => victim`select ${index}::int as index`.catch(() => null))
    await killer`select pg_terminate_backend(pid) from unnest(${cut}::int[]) as pid`
    await Promise.all(work)
  }
  // Connections being cut are noticed after a moment; then all of them work.
  const serve = () => Promise.all(Array.from({ length: 8 }, () => victim`select 1 as one`))
  let served: object[][] = []
  await until(async () => {
    served = await serve().catch(() => [])
    return served.length > 0
  }, 5000)
  expect(served.flat()).toHaveLength(8)
})

type Queue = { push(one: object): void; shift(): object; remove(one: object): unknown; length: number }

test('the queue of idle connections stays short, however many statements it has served', async () => {
  const file = new URL('../../node_modules/postgres/src/queue.js', import.meta.url).href
  const { default: createQueue }: { default: (initial: object[]) => Queue } = await import(file)
  const connections = [{ id: 1 }, { id: 2 }, { id: 3 }]
  const queue = createQueue(connections)
  const started = process.cpuUsage()
  // As the pool does it: takes the one idle for longest, searches for it, and puts it back.
  for (let statement = 0; statement < 200_000; statement++) {
    const one = queue.shift()
    queue.remove(one)
    queue.push(one)
  }
  expect(queue.length).toBe(3)
  expect(queue.remove(connections[2] ?? {})).toBe(connections[2])
  expect(queue.length).toBe(2)
  const spent = process.cpuUsage(started)
  // When the search started at everything ever queued, this took 5.5 seconds of processor time.
  expect((spent.user + spent.system) / 1000).toBeLessThan(3000)
})
