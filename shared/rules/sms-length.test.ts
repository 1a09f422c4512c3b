import { expect, test } from 'vitest'
import { smsLength } from './sms-length.ts'

test('seventy characters are one text message, the next one makes two of sixty-seven', () => {
  const signature = '【河畔学院】'
  const long = (characters: number) => smsLength(signature + '字'.repeat(characters - signature.length), '河畔学院')
  expect(long(70)).toEqual({ characters: 70, parts: 1, added: '' })
  expect([long(71).parts, long(134).parts, long(135).parts]).toEqual([2, 2, 3])
})

test('a text without a signature is counted with the one that a gateway adds', () => {
  expect(smsLength('Your code is 123456', 'School')).toEqual({ characters: 27, parts: 1, added: '【School】' })
  expect(smsLength('Your code is 123456【School】', 'School').added).toBe('')
  // Characters outside the BMP count twice.
  expect(smsLength('【School】🎓', 'School').characters).toBe(10)
})
