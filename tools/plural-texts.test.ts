import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pluralOf } from '../shared/rules/plural-forms.ts'

const texts: Record<string, string> = JSON.parse(
  readFileSync(new URL('../shared/locales/en.json', import.meta.url), 'utf8'),
)

/** Their number is never 1. */
const ALWAYS_MANY = [
  'administrator.withdraw.title-many',
  'authorise.ask.cancel-all',
  'authorise.ask.confirm-all',
  'custom-field.delete-many',
  'custom-field.explain',
  'custom-field.remove-used-many',
  'errors.alias.too-many-changes',
  'errors.ip-range.too-many-networks',
  'errors.log-export.too-many',
  'export.cut',
  'force-save.text',
  'list.most-selected',
  'list.period.days',
]

test('a text that counts something has a form for one of it', () => {
  const counting = Object.keys(texts).filter((key) => /\{\{count\}\} (more )?(people|[a-z]+s)\b/.test(texts[key] ?? ''))
  const lacking = counting.filter((key) => {
    const plural = pluralOf(key)
    return plural ? texts[`${plural.base}_one`] === undefined : !/\{\{count\}\} (was|is|has|s)\b/.test(texts[key] ?? '')
  })
  expect(counting.length).toBeGreaterThan(100)
  expect(lacking).toEqual(ALWAYS_MANY)
})
