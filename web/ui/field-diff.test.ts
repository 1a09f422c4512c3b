import { expect, test } from 'vitest'
import { fieldDiff, onlyIn } from './field-diff.ts'

test('only differing fields are listed, including nested ones; lists as a whole', () => {
  const before = { name: 'A', names: { en: 'A', zh_CN: '甲' }, urls: ['a', 'b'], off: false, gone: 1 }
  const after = { name: 'A', names: { en: 'B', zh_CN: '甲' }, urls: ['b'], off: true, fresh: null }
  expect(fieldDiff(before, after)).toEqual([
    { path: ['names', 'en'], before: 'A', after: 'B' },
    { path: ['urls'], before: ['a', 'b'], after: ['b'] },
    { path: ['off'], before: false, after: true },
    { path: ['fresh'], before: undefined, after: null },
    { path: ['gone'], before: 1, after: undefined },
  ])
  expect(fieldDiff(null, { names: { en: 'B' } })).toEqual([{ path: ['names', 'en'], before: undefined, after: 'B' }])
  expect(fieldDiff(before, before)).toEqual([])
})

test('for a list the added and removed entries are found', () => {
  expect(onlyIn(['a', 'b'], ['b', 'c'])).toEqual(['a'])
  expect(onlyIn(['a'], undefined)).toEqual(['a'])
  expect(onlyIn('a', ['a'])).toBeNull()
})
