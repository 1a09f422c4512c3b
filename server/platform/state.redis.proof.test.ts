import { connect, createServer, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { until } from '../testing/process.ts'
import { silentProxy } from '../testing/proxy.ts'
import { randomToken } from './crypto.ts'
import { createRedisState } from './state.redis.ts'

const redisUrl = process.env['REDIS_URL'] ?? ''
const now = () => new Date()

/** A proxy to the Redis server of the test run that can hang, be cut, and recover. */
async function way() {
  const port = await freePort()
  const target = new URL(redisUrl)
  const sockets = new Set<Socket>()
  let server: Server
  let hangs = false
  const open = () => {
    hangs = false
    server = createServer((near) => {
      if (hangs) return void sockets.add(near)
      const far = connect(Number(target.port || 6379), target.hostname)
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.on('error', () => socket.destroy())
      }
      near.pipe(far).pipe(near)
    })
    return new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    return new Promise<void>((done) => server.close(() => done()))
  }
  await open()
  onTestFinished(() => cut())
  const each = (work: (socket: Socket) => void) => sockets.forEach(work)
  const hang = () => {
    hangs = true
    each((socket) => void socket.unpipe().pause())
  }
  const url = new URL(redisUrl)
  url.host = `127.0.0.1:${port}`
  return { url: url.href, open, cut, hang }
}

async function refused(work: Promise<unknown>): Promise<number> {
  const began = performance.now()
  await expect(work).rejects.toMatchObject({ code: 'service.unavailable', status: 503, retryAfter: 2 })
  return performance.now() - began
}

test.runIf(redisUrl)(
  'a Redis that is gone or hangs is answered with 503 within two seconds, and works again within five',
  async () => {
    const there = await way()
    const state = createRedisState(there.url, now, () => {})
    onTestFinished(() => state.close())
    const key = randomToken(20)
    await state.put('test', key, { a: 1 }, 60)

    there.hang()
    expect(await refused(state.take('test', key))).toBeLessThan(2000)
    await there.cut()
    expect(await refused(state.peek('test', key))).toBeLessThan(2000)
    expect(await refused(state.increment('test', key, 60))).toBeLessThan(2000)
    expect(await refused(state.put('test', key, 1, 60))).toBeLessThan(2000)

    await there.open()
    const healed = await until(async () => (await state.peek('test', 'nothing').catch(() => 'away')) === null, 5000)
    expect(healed).toBeLessThan(5000)
  },
  30_000,
)

test.runIf(redisUrl)(
  'a connection to Redis that died silently is replaced, and calls are answered within five seconds of recovery',
  async () => {
    const proxy = await silentProxy(redisUrl, 6379)
    const state = createRedisState(proxy.url, now, () => {})
    onTestFinished(() => state.close())
    const key = randomToken(20)
    await state.put('test', key, 'kept', 60)
    proxy.swallow()
    expect(await refused(state.peek('test', key))).toBeLessThan(2000)
    expect(await refused(state.peek('test', key))).toBeLessThan(2000)
    proxy.letNewOnesPass()
    expect(await until(async () => (await state.peek('test', key).catch(() => 'away')) === 'kept', 5000)).toBeLessThan(
      5000,
    )
    // The old connections stay silent forever.
    proxy.swallow()
    proxy.letNewOnesPass()
    await state.peek('test', key).catch(() => null)
    expect(await state.peek('test', key)).toBe('kept')
  },
  30_000,
)

test.runIf(redisUrl)('a counter runs until the time of its first count is over, and each count is atomic', async () => {
  const state = createRedisState(redisUrl, now, () => {})
  onTestFinished(() => state.close())
  const key = randomToken(20)
  const counts = await Promise.all(Array.from({ length: 10 }, () => state.increment('test', key, 1)))
  expect(counts.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(await state.increment('test', key, 60)).toBe(11)
  await expect.poll(() => state.increment('test', key, 60), { timeout: 4000, interval: 100 }).toBe(1)
})
