import { expect, test } from 'vitest'
import { maskMailbox, maskPhone } from './mask-contact.ts'

test.each([
  ['+8613800001234', '138****1234'],
  ['13800001234', '138****1234'],
  ['+85291234567', '+852****4567'],
  ['+1234567', '****67'],
])('the number %s is shown as %s', (phone, masked) => expect(maskPhone(phone)).toBe(masked))

test.each([
  ['lilei@example.edu', 'l***@example.edu'],
  ['a@b.cn', 'a***@b.cn'],
  ['"odd@name"@example.edu', '"***@example.edu'],
  ['𠮷田@例子.中国', '𠮷***@例子.中国'],
])('the mailbox %s is shown as %s', (mailbox, masked) => expect(maskMailbox(mailbox)).toBe(masked))
