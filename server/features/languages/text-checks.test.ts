import { expect, test } from 'vitest'
import { SHIPPED_LANGUAGES, type ShippedLanguage } from '#shared/contract/endpoint.ts'
import { shippedMessages } from '../../platform/translate.ts'
import { shippedFormsOf } from './text-catalog.service.ts'
import { findTextProblem } from './text-checks.rules.ts'
import { isUsedIn } from './text-keys.rules.ts'
import { simplifiedIn, warningsOf } from './text-warnings.rules.ts'

const PUBLIC_URL = 'https://sso.school.test'
const plain = { texts: ['Welcome'], forms: ['Welcome'] }
const withName = { texts: ['Hello {{name}}', '你好，{{name}}'], forms: ['Hello {{name}}', '你好，{{name}}'] }
const counted = { texts: ['{{count}} person'], forms: ['{{count}} person', '{{count}} people in {{place}}'] }

const problemOf = (text: string, shipped = plain, key = 'login.title') =>
  findTextProblem(key, text, shipped, PUBLIC_URL)?.problem ?? null

test.each([
  ['a text like any other', 'Willkommen — 欢迎 🎓', null],
  ['nothing', '  ', 'empty'],
  ['more than a page holds', 'x'.repeat(4001), 'too-long'],
  ['an element', 'Log in <b>here</b>', 'markup'],
  ['a script', '</script><script>', 'markup'],
  ['an entity', 'Fish &amp; chips', 'markup'],
  ['an ampersand and a comparison', 'R&D: 3 < 5', null],
  ['a NUL', 'a\u0000b', 'control-character'],
  ['a zero-width blank', 'pass\u200bword', 'control-character'],
  ['a byte order mark', '\ufeffWelcome', 'control-character'],
  ['a turned direction', 'abc\u202edcba', 'direction-character'],
  ['the joiner that Uyghur and Persian need', 'می\u200cخواهم', null],
  ['a second line', 'one\ntwo', 'line-break'],
  ['a placeholder that nobody fills', 'Hello {{name}}', 'placeholder-unknown'],
  ['half a placeholder', 'Hello {{name', 'placeholder-malformed'],
  ['a link to somebody else', 'See https://evil.test/login', 'foreign-link'],
  ['a link without a protocol', 'See //evil.test', 'foreign-link'],
  ['a link that only begins like ours', 'See https://sso.school.test.evil.test', 'foreign-link'],
  ['a link with our name as its user', 'See https://sso.school.test@evil.test/', 'foreign-link'],
  ['a link to this site', 'See https://sso.school.test/auth_web/', null],
])('of a text without placeholders, %s: %s → %s', (_, text, problem) => {
  expect(problemOf(text)).toBe(problem)
})

test('a text keeps the placeholders that every shipped one has, and plural forms for few numbers may spell the number out', () => {
  expect(problemOf('Hello', withName)).toBe('placeholder-missing')
  expect(problemOf('Hi {{name}}!', withName)).toBeNull()
  expect(problemOf('Hi {{nome}}!', withName)).toBe('placeholder-unknown')
  expect(problemOf('one person', counted, 'people_one')).toBeNull()
  expect(problemOf('many people', { ...counted, texts: ['{{count}} people'] }, 'people_other')).toBe(
    'placeholder-missing',
  )
  const code = { texts: ['Your code is {{code}}'], forms: ['Your code is {{code}}'] }
  expect(problemOf('Your code', code)).toBe('code-missing')
})

test('every shipped text passes the checks without warnings', () => {
  for (const language of SHIPPED_LANGUAGES) {
    for (const [key, text] of Object.entries(shippedMessages(language))) {
      if (!isUsedIn(language, key)) continue
      expect([language, key, findTextProblem(key, text, shippedFormsOf(key), PUBLIC_URL)]).toEqual([
        language,
        key,
        null,
      ])
      const judged = { language, text, isOwn: false, source: text, formerSource: null, shipped: [text] }
      expect([language, key, warningsOf(judged)]).toEqual([language, key, []])
    }
  }
})

/**
 * Words that docs/wording.md rules out, and mainland words in texts for Taiwan and vice versa; lookarounds exempt terms of other systems.
 */
const SECOND_NAMES: Record<ShippedLanguage, RegExp> = {
  en: /\b(vendors?|sign(ed)?[ -]in|e-mail|locale|nature|somebody|everybody|anybody|second step|MFA|backup codes?|blacklist)\b|organiz(?!ation:)|’/,
  zh_CN: /登陆|帐号|禁用(?!词|的词)|二次验证|第二因素|(?<!加)密保|缺省|撤消|安全检查|厂商|来源中|(邮件|此)平台/,
  zh_TW:
    /賬號|信息|網絡|默認|數據|服務器|短信|軟件|屏幕|鼠標|緩存|票據|通行金鑰|(?<!通行)密鑰|二次驗證|入口網(?!站)|在線|查找|登入名(?!稱)|超級使用者|引導檔案|身分驗證器|有效期(?!限|間)|接入|逾期|上級|下級|滑塊|占用|條文案|被拒絕|(郵件|此)平台|地址(?!、電話)|紀錄/,
}

test.each(SHIPPED_LANGUAGES)('shipped texts in %s use the words of the glossary', (language) => {
  const found = Object.entries(shippedMessages(language)).flatMap(([key, text]) => {
    const [word] = SECOND_NAMES[language].exec(text.replace(/\{\{[^}]*\}\}/g, '')) ?? []
    return word === undefined ? [] : [`${key}: ${word}`]
  })
  expect(found).toEqual([])
})

test('simplified characters are reported in a text for Taiwan, shared ones are not', () => {
  expect(simplifiedIn('登录账号')).toEqual(['录', '账', '号'])
  expect(simplifiedIn('登入帳號，台灣，后里，ABC')).toEqual([])
})

test('own texts get warnings for likely mistakes', () => {
  const judge = (language: string, text: string, more = {}) =>
    warningsOf({
      language,
      text,
      isOwn: true,
      source: '登录',
      formerSource: null,
      shipped: ['Log in', '登录'],
      ...more,
    })
  expect(judge('zh_CN', '进入')).toEqual([])
  expect(judge('zh_CN', '登录')).toEqual(['same-as-source'])
  expect(judge('zh_CN', 'Log in')).toEqual(['untranslated'])
  expect(judge('zh_TW', '进入')).toEqual(['simplified'])
  expect(judge('en', 'Log in to the services of the university')).toEqual(['too-long'])
  expect(judge('en', 'Sign in', { formerSource: 'Login' })).toEqual(['outdated'])
})
