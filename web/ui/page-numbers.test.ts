import { expect, test } from 'vitest'
import { visiblePages } from './page-numbers.ts'

test('first, last and the neighbours are offered, gaps are marked', () => {
  expect(visiblePages(1, 1)).toEqual([1])
  expect(visiblePages(1, 5)).toEqual([1, 2, 3, -5, 5])
  expect(visiblePages(10, 20)).toEqual([1, -8, 8, 9, 10, 11, 12, -20, 20])
  expect(visiblePages(20, 20)).toEqual([1, -18, 18, 19, 20])
})
