import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import { canonicalLoginName } from './login-name.ts'
import { toE164, toValidPhone } from './phone.ts'

test.each([
  ['  LiLei ', 'lilei'],
  ['\u3000ＬｉＬｅｉ\u3000', 'lilei'],
  ['Li.Lei@Example.EDU', 'li.lei@example.edu'],
  ['张三', '张三'],
  ['ﬁnn', 'finn'],
])('%j and %j are the same name', (typed, canonical) => {
  expect(canonicalLoginName(typed)).toBe(canonical)
})

test.each([
  '13800000001',
  '138 0000 0001',
  '138-0000-0001',
  '１３８０００００００１',
  '+86 138 0000 0001',
  '+86 (138) 00000001',
])('a mobile number typed as %j finds its owner', (typed) => {
  expect(canonicalLoginName(typed)).toBe('+8613800000001')
})

test.each(['20260001', '2026010123', '02026010123', '1234567890', '12345678901', '2026-0001'])(
  'the student number %j stays a student number',
  (account) => {
    expect(canonicalLoginName(account)).toBe(account)
  },
)

test('the canonical form of a canonical form is itself', () => {
  for (const name of ['ẞ', 'İstanbul', 'ǅ', 'Ⅷ', '㍿', '+8613800000001', '13800000001', '+1 202 555 0100', '𠮷', 'K']) {
    expect(canonicalLoginName(canonicalLoginName(name))).toBe(canonicalLoginName(name))
  }
})

test('phone numbers are stored in E.164, and other texts are refused', () => {
  expect(toE164('010-6278 0001')).toBe('+861062780001')
  expect(toE164('+1 (202) 555-0100')).toBe('+12025550100')
  for (const text of ['', '12', 'call me', '138000000011111111111', "1380000'0001", '+'])
    expect(toE164(text)).toBeNull()
})

test('domestic mobile numbers are recognised without the library, with the same result', () => {
  for (let prefix = 100; prefix < 200; prefix++) {
    for (const typed of [`${prefix}12345678`, `+86${prefix}00000000`]) {
      const number = parsePhoneNumberFromString(typed, 'CN')
      expect(toE164(typed), typed).toBe(number?.isPossible() ? number.number : null)
      expect(toValidPhone(typed), typed).toBe(number?.isValid() ? number.number : null)
    }
  }
})

test.each([
  ['138 0000 0001', '+8613800000001'],
  ['010-6278 0001', '+861062780001'],
  ['+852 5123 4567', '+85251234567'],
  ['+1 202 555 0100', '+12025550100'],
])('%j is a phone number somebody can have', (typed, phone) => {
  expect(toValidPhone(typed)).toBe(phone)
})

test.each(['1391111', '62780001', '12000000000', '17912345678', '110', '+852 1234 5678', '+1 123 555 0100', ''])(
  '%j is nobody’s phone number, though some have its length',
  (typed) => {
    expect(toValidPhone(typed)).toBeNull()
  },
)
