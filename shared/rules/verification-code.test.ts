import { expect, test } from 'vitest'
import { extractCode } from './verification-code.ts'

test.each([
  ['123456', '123456'],
  ['【示范大学】验证码 123 456，5 分钟内有效', '123456'],
  ['Your code is 123-456. It is good for 5 minutes.', '123456'],
  ['１２３４５６', '123456'],
  [' 123456\n', '123456'],
  ['12', '12'],
  ['', ''],
  ['code', ''],
])('in %j the code is %j', (text, code) => {
  expect(extractCode(text)).toBe(code)
})
