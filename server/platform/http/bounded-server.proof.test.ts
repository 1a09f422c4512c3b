import { request as httpRequest, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { startNode, until } from '../../testing/process.ts'
import { sendUnread } from '../../testing/raw.ts'
import { createBoundedServer } from './bounded-server.ts'

const MB = 1024 * 1024

async function serve(handle: RequestListener) {
  const cuts: [number, string][] = []
  const server = createBoundedServer(handle, {
    requestTimeout: 30_000,
    keepAliveTimeout: 5000,
    headersTimeout: 10_000,
    onDisconnect: (count, reason) => void cuts.push([count, reason]),
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cuts }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

test('pipelined requests of a connection are answered one after the other, in order', async () => {
  let running = 0
  let most = 0
  const { url } = await serve(async (request, response) => {
    running += 1
    most = Math.max(most, running)
    await pause(Math.random() * 20)
    running -= 1
    response.end(`answer to ${request.url}\n`)
  })
  const socket = await sendUnread(url, ['/1', '/2', '/3', '/4', '/5'].map(get).join(''))
  let text = ''
  socket.on('data', (bytes) => {
    text += String(bytes)
  })
  socket.resume()
  await until(() => text.includes('/5'), 5000)
  expect(text.match(/answer to \S+/g)).toEqual([1, 2, 3, 4, 5].map((number) => `answer to /${number}`))
  expect(most).toBe(1)
})

test('a connection that pipelines more than any program needs is cut off', async () => {
  let served = 0
  const { url } = await serve(() => {
    served += 1
  })
  const socket = await sendUnread(url, get('/').repeat(1000))
  socket.resume()
  await until(() => socket.destroyed, 5000)
  expect(served).toBe(1)
})

test('of unread answers the server keeps a bounded amount, and whoever reads gets all of theirs', {
  timeout: 60_000,
}, async () => {
  const size = 8 * MB
  const { url, cuts } = await serve((_request, response) => void response.end(Buffer.alloc(size, 'x')))
  const memory = () => process.memoryUsage().arrayBuffers
  const before = memory()
  let most = 0
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 10 }, () => sendUnread(url, get('/'))))
    const received = await new Promise<number>((done, fail) => {
      const asking = httpRequest(url, { agent: false }, (answer) => {
        let length = 0
        answer.on('data', (bytes: Buffer) => {
          length += bytes.length
        })
        answer.on('end', () => done(length))
        answer.on('error', fail)
      })
      asking.on('error', fail).end()
    })
    expect(received).toBe(size)
    most = Math.max(most, memory() - before)
  }
  // 800 MB were requested. Released memory is collected later, and each round allocates some more.
  expect(most).toBeLessThan(400 * MB)
  const cut = cuts.filter(([, reason]) => reason === 'memory').reduce((sum, [count]) => sum + count, 0)
  expect(cut).toBeGreaterThan(70)
})

test('a client that accepts nothing of an answer is cut off after three minutes, not sooner', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let answered = 0
  const { url, cuts } = await serve((_request, response) => {
    response.end(Buffer.alloc(16 * MB, 'x'))
    answered += 1
  })
  await sendUnread(url, get('/'))
  await until(() => answered === 1, 5000)
  vi.advanceTimersByTime(180_000)
  expect(cuts).toEqual([])
  vi.advanceTimersByTime(1000)
  expect(cuts).toEqual([[1, 'stalled']])
})

test('300 clients that request the description of the API five times and do not read neither block nor fill the node', {
  timeout: 120_000,
}, async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const node = await startNode({
    DATABASE_URL: database.url,
    SECRET_KEY: 'a test key of more than thirty-two characters',
  })
  const figures = async () => {
    const text = await (await fetch(`${node.url}/metrics`)).text()
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
    return { cpu: figure('process_cpu_seconds_total'), rss: figure('process_resident_memory_bytes') }
  }
  const path = '/auth_service/openapi.json'
  expect((await (await fetch(node.url + path)).text()).length).toBeGreaterThan(500_000)
  const before = await figures()
  await Promise.all(Array.from({ length: 300 }, () => sendUnread(node.url, get(path).repeat(5))))
  let slowest = 0
  for (let round = 0; round < 5; round++) {
    const began = performance.now()
    expect((await fetch(`${node.url}/healthz`)).status).toBe(200)
    slowest = Math.max(slowest, performance.now() - began)
    await pause(200)
  }
  const after = await figures()
  // The machine may be busy with other tests: the node's own CPU time bounds how long it could not answer.
  expect(after.cpu - before.cpu).toBeLessThan(5)
  expect(slowest).toBeLessThan(20_000)
  expect((after.rss - before.rss) / MB).toBeLessThan(250)
})
