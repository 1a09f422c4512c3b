import { expect, test } from 'vitest'
import { birthYears, isBirthday } from './birthday.ts'
import { canonicalNickname, countGraphemes, nicknameProblem } from './nickname.ts'
import { pictureKind } from './picture-kind.ts'

test.each([
  ['', null],
  ['小明', null],
  ['𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷𠮷', null],
  ['👨‍👩‍👧‍👦'.repeat(20), null],
  ['阿迪力·吐尔逊', null],
  ['a'.repeat(21), 'too-long'],
  ['👨‍👩‍👧‍👦'.repeat(21), 'too-long'],
  [`a${'\u0301'.repeat(500)}`, 'too-long'],
  ['a\u202eb', 'unprintable'],
  ['a\u0000b', 'unprintable'],
  ['a\nb', 'unprintable'],
  ['\u200b', 'unprintable'],
  ['\u200d', 'unprintable'],
  ['\ud800', 'unprintable'],
] as const)('the nickname %j: %s', (text, problem) => {
  expect(nicknameProblem(text)).toBe(problem)
})

test('a nickname is counted as people count', () => {
  expect(['👍🏽', 'e\u0301', '🇨🇳', '龍', 'ab'].map(countGraphemes)).toEqual([1, 1, 1, 1, 2])
  expect(canonicalNickname('\u3000 e\u0301 \u3000')).toBe('é')
})

const today = new Date('2026-11-21T00:00:00Z')

test.each([
  ['2004-02-29', true],
  ['2003-02-29', false],
  ['2000-13-01', false],
  ['2000-00-10', false],
  ['2000-01-00', false],
  ['2026-01-01', false],
  ['2027-01-01', false],
  ['1906-01-01', true],
  ['1899-12-31', false],
  ['2000-1-1', false],
  ['0000-00-00', false],
])('the birthday %s is plausible: %s', (text, plausible) => {
  expect(isBirthday(text, today)).toBe(plausible)
})

test('the years to choose from start with the youngest', () => {
  expect([birthYears(today)[0], birthYears(today).at(-1)]).toEqual([2023, 1906])
})

test('the kind of a picture is read from its first bytes', () => {
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
  expect(pictureKind(bytes('\x89PNG\r\n\x1a\n'))).toBe('png')
  expect(pictureKind(bytes('\xff\xd8\xff\xe0'))).toBe('jpeg')
  expect(pictureKind(bytes('RIFF....WEBPVP8 '))).toBe('webp')
  for (const other of ['', '<svg xmlns="', 'GIF89a', '%PDF-1.7', 'RIFF....WAVE', 'BM', ' \x89PNG\r\n\x1a\n']) {
    expect(pictureKind(bytes(other)), other).toBe(null)
  }
})
