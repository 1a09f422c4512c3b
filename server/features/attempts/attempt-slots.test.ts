import { expect, test } from 'vitest'
import { withAttemptSlot } from './attempt-slots.service.ts'

test('an attempt that read the counter while another one failed reads it again before it may guess', async () => {
  let failures = 4
  const slotOf = (counted: number) => (counted >= 5 ? null : { lane: 'somebody', free: 5 - counted })
  const outcome = (counted: number) => Promise.resolve(counted >= 5 ? 'blocked' : 'guessed')
  const { promise: reading, resolve: answer } = Promise.withResolvers<number>()
  const reads = [() => reading]
  const late = withAttemptSlot(() => reads.shift()?.() ?? Promise.resolve(failures), slotOf, outcome)
  const first = await withAttemptSlot(
    () => Promise.resolve(failures),
    slotOf,
    (counted) => {
      failures += 1
      return outcome(counted)
    },
  )
  // What the database answered before the failure was counted.
  answer(4)
  expect([first, await late]).toEqual(['guessed', 'blocked'])
})
