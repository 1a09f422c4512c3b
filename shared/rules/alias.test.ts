import { expect, test } from 'vitest'
import { brokenAliasRules, isReservedAlias } from './alias.ts'

test.each(['lilei', 'Li.Lei-2026', 'l__l', 'ＬＩＬＥＩ', '  lilei　', 'a234567890123456789012345678901b'])(
  '%s is a good alias',
  (alias) => expect(brokenAliasRules(alias)).toEqual([]),
)

test.each([
  ['lei', ['length']],
  ['a2345678901234567890123456789012x', ['length']],
  ['20260001', ['first']],
  ['１３８００００１２３４', ['first']],
  ['13800001234', ['first']],
  ['+86 138 0000 1234', ['first', 'characters']],
  ['lilei@example.edu', ['characters']],
  ['li lei', ['characters']],
  ['li\u0000lei', ['characters']],
  // Cyrillic: looks like "alice".
  ['аlice', ['first', 'characters']],
  ['李雷李雷', ['first', 'characters']],
  ['', ['length', 'first']],
])('%s breaks %j', (alias, rules) => expect(brokenAliasRules(alias)).toEqual(rules))

test('nobody becomes the administrator by name', () => {
  expect(['Admin', 'ａｄｍｉｎ', 'ad.min', 'help-desk', 'lilei'].map(isReservedAlias)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ])
})
