import { expect, test } from 'vitest'
import { dayIn, isInWindow, lookOn, type ThemeWindow } from './theme-schedule.ts'

const window = (change: Partial<ThemeWindow>): ThemeWindow => ({
  name: 'x',
  theme: 'lake',
  grey: false,
  from: '2026-10-01',
  until: '2026-10-07',
  yearly: false,
  priority: 0,
  ...change,
})
const on = (day: string, ...schedule: ThemeWindow[]) => lookOn({ theme: 'pine', schedule }, day)

test('a period includes its first and last day, once or every year, also across the new year', () => {
  const once = window({})
  expect(
    ['2026-09-30', '2026-10-01', '2026-10-07', '2026-10-08', '2027-10-03'].map((day) => isInWindow(once, day)),
  ).toEqual([false, true, true, false, false])
  const yearly = window({ yearly: true, from: '2020-12-30', until: '2021-01-02' })
  expect(['2029-12-29', '2029-12-30', '2030-01-02', '2030-01-03'].map((day) => isInWindow(yearly, day))).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('the highest priority wins, then the period that began last; greyscale applies to any theme', () => {
  expect(on('2026-10-02').theme).toBe('pine')
  const term = window({ theme: 'ink', from: '2026-09-01', until: '2027-01-31' })
  expect(on('2026-10-02', window({}), term).theme).toBe('lake')
  expect(on('2026-10-02', window({}), { ...term, priority: 1 }).theme).toBe('ink')
  const yearly = window({ theme: 'seal', yearly: true, from: '2020-10-02', until: '2020-10-02' })
  expect(on('2026-10-02', window({}), yearly).theme).toBe('seal')
  const grey = window({ theme: null, grey: true, priority: 9 })
  expect(on('2026-10-02', grey, window({}))).toMatchObject({ theme: 'lake', grey: true })
  expect(on('2026-10-09', grey, window({}))).toMatchObject({ theme: 'pine', grey: false, window: null })
})

test('a day begins with the midnight of the institution', () => {
  const at = new Date('2026-09-30T16:00:00.000Z')
  expect([dayIn('Asia/Shanghai', at), dayIn('UTC', at)]).toEqual(['2026-10-01', '2026-09-30'])
  const around = (time: string) => [-1, 0, -1].map((ms) => dayIn('Asia/Kathmandu', new Date(Date.parse(time) + ms)))
  // Nepal is 5 hours and 45 minutes ahead.
  expect(around('2026-09-30T18:15:00.000Z')).toEqual(['2026-09-30', '2026-10-01', '2026-09-30'])
})
