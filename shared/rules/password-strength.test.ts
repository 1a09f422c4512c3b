import { expect, test } from 'vitest'
import { brokenRules, levelOfPassword, passwordChecks, strengthOfPassword } from './password-strength.ts'

test.each([
  ['12345678', 1, 'weak'],
  ['abcdefgh', 1, 'weak'],
  ['', 1, 'weak'],
  ['abcd1234', 2, 'medium'],
  ['abcd-1234', 3, 'medium'],
  ['Abcd1234', 2, 'medium'],
  ['Abcd-1234', 4, 'strong'],
  ['密码密码 1234', 3, 'medium'],
  ['Ａｂｃｄ－１２３４', 4, 'strong'],
])('%j is of level %i and %s', (password, level, strength) => {
  expect(levelOfPassword(password)).toBe(level)
  expect(strengthOfPassword(password, 8)).toBe(strength)
})

const demands = { passwordMinLength: 8, passwordMaxLength: 64, passwordLevel: 3 }

test('missing kinds of characters are named', () => {
  expect(brokenRules('abc', demands)).toEqual(['too-short', 'no-digit', 'no-special'])
  expect(brokenRules('abcdefg1', { ...demands, passwordLevel: 4 })).toEqual(['no-special', 'no-upper'])
  expect(brokenRules('12345678', { ...demands, passwordLevel: 1 })).toEqual([])
})

test('length is counted in characters: 64 fit, 65 do not, and an emoji is one', () => {
  expect(brokenRules(`a1-${'x'.repeat(61)}`, demands)).toEqual([])
  expect(brokenRules(`a1-${'x'.repeat(62)}`, demands)).toEqual(['too-long'])
  expect(brokenRules(`a1-${'🦊'.repeat(61)}`, demands)).toEqual([])
})

const person = {
  account: '20260001',
  names: ['Li Lei', '李雷', 'lilei'],
  phone: '+8613800000001',
  birthday: '2004-05-06',
  surroundings: ['Demo University'],
}

test.each([
  ['x-20260001-y', 'contains-account'],
  ['Li.Lei-77-fox', 'contains-name'],
  ['LILEI#77-fox', 'contains-name'],
  ['fox-77-李雷', 'contains-name'],
  ['fox#13800000001', 'contains-phone'],
  ['fox-138-0000-0001', 'contains-phone'],
  ['fox#2004-05-06', 'contains-birthday'],
  ['fox#040506', 'contains-birthday'],
  ['fox#06.05.2004', 'contains-birthday'],
  ['demo-university-7', 'contains-institution'],
])('%j is refused for this person: %s', (password, rule) => {
  expect(brokenRules(password, demands, person)).toEqual([rule])
})

test('a short name or account forbids nothing', () => {
  expect(brokenRules('quiet-lake-77', demands, { account: 'la', names: ['Li', 'li'] })).toEqual([])
})

test('a page checks the rules one by one', () => {
  const met = (password: string, passwordLevel: number) =>
    passwordChecks(password, { ...demands, passwordLevel }, ['lilei']).flatMap(({ name, met }) => (met ? [name] : []))
  expect(met('', 3)).toEqual([])
  expect(met('abc', 3)).toEqual(['letters', 'own'])
  expect(met('lilei-12', 3)).toEqual(['length', 'letters', 'digits', 'special'])
  expect(met('Fox-lake-7', 4)).toEqual(['length', 'cases', 'digits', 'special', 'own'])
  expect(met('12345678', 1)).toEqual(['length', 'own'])
})
