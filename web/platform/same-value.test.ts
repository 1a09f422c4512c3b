import { expect, test } from 'vitest'
import { isSameValue } from './same-value.ts'

test.each([
  [{ login: 400, audit: 400 }, { audit: 400, login: 400 }, true],
  [{ login: 400 }, { login: 401 }, false],
  [[{ a: 1, b: { c: 2, d: 3 } }], [{ b: { d: 3, c: 2 }, a: 1 }], true],
  [[1, 2], [2, 1], false],
  [null, {}, false],
  ['any', 'any', true],
])('%j and %j: %s', (one, other, expected) => expect(isSameValue(one, other)).toBe(expected))
