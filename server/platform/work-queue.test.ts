import { expect, onTestFinished, test } from 'vitest'
import { until } from '../testing/process.ts'
import { testServer } from '../testing/server.ts'
import { type QueuePoller, runWorkQueue } from './work-queue.ts'

const CHANNEL = 'test_queue'

/** A queue whose polls are counted, and stay open until they are told to end. */
async function openQueue(takeDue: (looking: QueuePoller) => Promise<void>) {
  const { platform } = await testServer()
  const lines: unknown[] = []
  const log = { ...platform.log, warn: (line: unknown) => lines.push(line) } as unknown as typeof platform.log
  const queue = await runWorkQueue({ ...platform, log }, { channel: CHANNEL, name: 'test', claimDue: takeDue })
  onTestFinished(() => queue.stop())
  return { ...queue, lines, notify: () => platform.sql`select pg_notify(${CHANNEL}, '')` }
}

const gate = () => Promise.withResolvers<void>()

test('a notification during a poll causes another one after it, and no two polls run at once', async () => {
  const first = gate()
  let [looks, running, most] = [0, 0, 0]
  const { notify } = await openQueue(async () => {
    looks++
    most = Math.max(most, ++running)
    await (looks === 1 && first.promise)
    running--
  })
  await until(() => looks === 1, 5000)
  await notify()
  await notify()
  first.resolve()
  await until(() => looks >= 2, 4000)
  expect(most).toBe(1)
})

test('a failing poll is logged, and the next notification is handled', async () => {
  let looks = 0
  const { notify, lines } = await openQueue(async () => {
    if (++looks === 1) throw new Error('on purpose')
  })
  await until(() => looks === 1 && lines.length === 1, 5000)
  await notify()
  await until(() => looks > 1, 4000)
})

test('a queue is stopped when its last poll and all work in progress have ended', async () => {
  const work = gate()
  let looks = 0
  const { notify, stop } = await openQueue(async ({ track }) => {
    if (++looks === 1) track(work.promise)
  })
  await until(() => looks === 1, 5000)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await notify()
  expect(stopped).toBe(false)
  const before = looks
  work.resolve()
  await stopping
  expect(looks).toBe(before)
})
