import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Platform } from '../../platform/platform.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { hashPassword, verifyPassword } from './index.ts'

let server: TestServer
let platform: Platform
beforeAll(async () => {
  server = await startTestServer()
  platform = server.platform
})
afterAll(() => server.close())

test('without a hash nothing matches, at the cost of a real verification', async () => {
  const hash = await hashPassword(platform, 'right')
  const times = { none: [] as number[], wrong: [] as number[] }
  const measure = async (stored: string | null, into: number[]) => {
    const started = process.cpuUsage()
    expect(await verifyPassword(platform, 'wrong', stored)).toEqual({ right: false, outdated: false })
    const { user, system } = process.cpuUsage(started)
    into.push(user + system)
  }
  for (let i = 0; i < 12; i += 1) {
    await measure(null, times.none)
    await measure(hash, times.wrong)
  }
  const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1] ?? 0
  // A skipped verification would take a hundredth; the wide bound is for a busy machine.
  expect(median(times.none)).toBeGreaterThan(median(times.wrong) / 2)
})

test('a queue longer than two seconds of work is rejected at once with a retry time, and the rest is served', async () => {
  const hash = await hashPassword(platform, 'right')
  const results = await Promise.allSettled(Array.from({ length: 1500 }, () => verifyPassword(platform, 'wrong', hash)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(1500)
  for (const reason of refused)
    expect(reason).toMatchObject({ code: 'service.busy', status: 503, retryAfter: expect.any(Number) })
  expect(await verifyPassword(platform, 'right', hash)).toMatchObject({ right: true })
})

test('an import waits behind people who log in, and is never rejected', async () => {
  const order: string[] = []
  const background = Array.from({ length: 40 }, () => hashPassword(platform, 'a').then(() => order.push('import')))
  const person = hashPassword(platform, 'b', 'person').then(() => order.push('person'))
  await Promise.all([...background, person])
  expect(order.indexOf('person')).toBeLessThan(10)
  expect(order).toHaveLength(41)
})
