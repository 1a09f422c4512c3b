import { expect, onTestFinished, test, vi } from 'vitest'
import { debounce, throttle } from './throttle.ts'

test('a double click counts once, a quick click on something else is never dropped', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const done: string[] = []
  const open = throttle((name: string) => done.push(name))
  open('library')
  open('library')
  open('mail')
  vi.advanceTimersByTime(301)
  open('mail')
  expect(done).toEqual(['library', 'mail', 'mail'])
})

test('typing asks once, 300 ms after the last key', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const asked: string[] = []
  const ask = debounce((text: string) => asked.push(text))
  for (const text of ['t', 'ts', 'tsg']) ask(text)
  vi.advanceTimersByTime(299)
  expect(asked).toEqual([])
  vi.advanceTimersByTime(1)
  expect(asked).toEqual(['tsg'])
})
