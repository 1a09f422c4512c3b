import { expect, test } from 'vitest'
import { canonicalMailbox } from './mailbox.ts'

test.each([
  ['li.lei@example.edu', 'li.lei@example.edu'],
  ['\u3000Li.Lei＠Example.edu ', 'Li.Lei@Example.edu'],
  ["o'neill+exam@cs.example-school.edu.cn", "o'neill+exam@cs.example-school.edu.cn"],
  ['用户@例子.中国', '用户@例子.中国'],
  ['a@xn--fsqu00a.xn--fiqs8s', 'a@xn--fsqu00a.xn--fiqs8s'],
])('%j is the mailbox %j', (typed, mailbox) => {
  expect(canonicalMailbox(typed)).toBe(mailbox)
})

test.each([
  '',
  '@',
  'lilei',
  'a@b',
  '@example.edu',
  'a@example.',
  'a@.edu',
  'a@-b.edu',
  'a@b-.edu',
  'a@b..edu',
  'a@b_c.edu',
  'a@127.0.0.1',
  'a@[127.0.0.1]',
  '.a@example.edu',
  'a.@example.edu',
  'a..b@example.edu',
  'a b@example.edu',
  'a@b@example.edu',
  'a,b@example.edu',
  '"a"@example.edu',
  'Li Lei <a@example.edu>',
  'a@example.edu\r\nBcc: b@example.edu',
  'a\u200b@example.edu',
  `${'a'.repeat(65)}@example.edu`,
  `a@${'b'.repeat(64)}.edu`,
  `a@${'b.'.repeat(130)}edu`,
])('%j is no mailbox', (typed) => {
  expect(canonicalMailbox(typed)).toBeNull()
})
