import { expect, test } from 'vitest'
import { POLICY_KEYS } from '#shared/contract/login-config.ts'
import en from '#shared/locales/en.json' with { type: 'json' }
import { POLICY_GROUPS } from './policy-groups.ts'
import { boundsOf, DEFAULTS } from './policy-values.ts'

test('the page has each key of the sign-in policy once, with a name and a sentence', () => {
  expect(POLICY_GROUPS.flatMap(({ keys }) => [...keys] as string[]).toSorted()).toEqual(POLICY_KEYS.toSorted())
  const words = Object.keys(en)
  const missing = POLICY_KEYS.flatMap((key) => [`audit-field.${key}`, `login-config.text.${key}`]).filter(
    (key) => !words.includes(key),
  )
  expect(missing).toEqual([])
})

test('each number has its bounds from the contract, and its default is within them', () => {
  const numbers = POLICY_KEYS.filter((key) => typeof DEFAULTS[key] === 'number')
  expect(numbers.length).toBeGreaterThan(10)
  for (const key of numbers) {
    const { min, max } = boundsOf(key)
    expect([key, Number(DEFAULTS[key]) >= min, Number(DEFAULTS[key]) <= max]).toEqual([key, true, true])
  }
  expect(boundsOf('passwordMinLength')).toEqual({ min: 6, max: 64 })
})
