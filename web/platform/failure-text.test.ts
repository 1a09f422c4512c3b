import i18next from 'i18next'
import { expect, test } from 'vitest'
import { failureText } from './failure-text.ts'
import { Refusal } from './refusal.ts'

test('people read the server’s words, never those of a programming error', async () => {
  // Another test of this process may have set it up already.
  await i18next.init({ lng: 'en', keySeparator: false, nsSeparator: false })
  await i18next.changeLanguage('en')
  i18next.addResource('en', 'translation', 'network.unreachable', 'No answer', { keySeparator: '\n' })
  expect(failureText(new Refusal(409, 'some.code', 'Somebody else was faster'))).toBe('Somebody else was faster')
  expect(failureText(new TypeError('x.map is not a function'))).toBe('No answer')
  expect(failureText(null)).toBeUndefined()
})
