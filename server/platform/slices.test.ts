import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testServer } from '../testing/server.ts'
import { countRequest, giveWay, inBackground, mapInSlices } from './slices.ts'

const timed = async (work: () => Promise<unknown>) => {
  const from = performance.now()
  await work()
  return performance.now() - from
}
/** So that a share of it may be waited. */
const LONG_MS = 300

test('background work waits until requests are answered, and nothing else does', async () => {
  const order: string[] = []
  const end = countRequest()
  await mapInSlices([1], () => order.push('request'))
  const background = inBackground(async () => {
    await pause(LONG_MS)
    const working = mapInSlices([1], () => order.push('background'))
    await pause(5)
    order.push('answered')
    end()
    await working
  })
  await background
  expect(order).toEqual(['request', 'answered', 'background'])
  expect(await inBackground(() => timed(giveWay))).toBeLessThan(20)
})

test('it gets done beside requests that never end: each wait is short, and all are a share of its time', async () => {
  const end = countRequest()
  try {
    await inBackground(async () => {
      await pause(LONG_MS)
      expect(await timed(giveWay)).toBeGreaterThan(20)
      let waited = 0
      for (let times = 0; times < 20; times += 1) waited += await timed(giveWay)
      expect(waited).toBeLessThan(LONG_MS)
    })
  } finally {
    end()
  }
})

test('a request counts from its first line until it is answered or broken off', async () => {
  const server = await testServer()
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const head =
    'POST /auth_service/portal/login/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{'
  socket.write(head)
  await inBackground(async () => {
    await pause(LONG_MS)
    expect(await timed(giveWay)).toBeGreaterThan(20)
    socket.destroy()
    await pause(50)
    expect(await timed(giveWay)).toBeLessThan(20)
  })
})
