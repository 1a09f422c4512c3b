import { expect, onTestFinished, test, vi } from 'vitest'
import { workLimit } from './work-limit.ts'

const settled = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  )

test('some work runs, some waits, and the rest is rejected at once', async () => {
  const { run: limited } = workLimit({ running: 2, waiting: 1, waitMs: 60_000 })
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const begun: number[] = []
  const work = gates.map(({ promise }, at) =>
    settled(
      limited(async () => {
        begun.push(at)
        await promise
      }),
    ),
  )
  expect(await work[3]).toBe('service.busy')
  expect(begun).toEqual([0, 1])
  gates[1]?.reject(new Error('failed'))
  await work[1]
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2])
  gates[0]?.resolve()
  gates[2]?.resolve()
  expect(await Promise.all([work[0], work[2]])).toEqual(['done', 'done'])
  expect(await settled(limited(async () => undefined))).toBe('done')
})

test('a caller that has waited too long is told to retry, and takes nobody else’s turn', async () => {
  const { run: limited } = workLimit({ running: 1, waiting: 5, waitMs: 1 })
  const gate = Promise.withResolvers<void>()
  const first = limited(() => gate.promise)
  expect(await settled(limited(async () => undefined))).toBe('service.busy')
  gate.resolve()
  await first
  expect(await settled(limited(async () => undefined))).toBe('done')
})

test('if others wait, the place rests before it is passed on; otherwise it does not', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const rests: number[] = []
  const restMs = (tookMs: number) => {
    rests.push(tookMs)
    return 3 * tookMs
  }
  const { run, hasWaiting } = workLimit({ running: 1, waiting: 5, waitMs: 60_000, restMs })
  await run(() => vi.advanceTimersByTimeAsync(10))
  expect(rests).toEqual([])
  const gate = Promise.withResolvers<void>()
  const first = run(() => gate.promise)
  const second = settled(run(async () => undefined))
  expect(hasWaiting()).toBe(true)
  await vi.advanceTimersByTimeAsync(100)
  gate.resolve()
  await first
  expect(rests).toEqual([100])
  await vi.advanceTimersByTimeAsync(299)
  expect(hasWaiting()).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(await second).toBe('done')
  expect(hasWaiting()).toBe(false)
})
