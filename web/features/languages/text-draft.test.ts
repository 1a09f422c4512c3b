import { expect, test } from 'vitest'
import type { TextInLanguage } from '#shared/contract/languages.ts'
import { changesOf, draftOf, partsOf, rebase, type TextDraft } from './text-draft.ts'

const stored = (key: string, others: readonly string[], more: Partial<TextInLanguage> = {}): TextInLanguage => ({
  language: 'ar',
  text: `shipped ${key}`,
  own: null,
  shipped: null,
  source: null,
  formerlyShipped: null,
  version: 0,
  warnings: [],
  forms: others.map((other) => ({ key: other, own: null, text: `shipped ${other}`, version: 0 })),
  ...more,
})
const textsOf = (drafts: TextDraft[]) => Object.fromEntries(changesOf(drafts).map(({ key, text }) => [key, text]))

test('two forms of one text that carry each other are each saved once, as they were typed', () => {
  const one = { ...draftOf('n_one', stored('n_one', ['n_few', 'n_many'])), text: 'typed one' }
  const few = { ...draftOf('n_few', stored('n_few', ['n_one', 'n_many'])), text: 'typed few' }
  few.forms = few.forms.map((form) => (form.key === 'n_many' ? { ...form, text: 'typed many' } : form))
  const expected = { n_one: 'typed one', n_few: 'typed few', n_many: 'typed many' }
  for (const drafts of [
    [one, few],
    [few, one],
  ]) {
    expect(changesOf(drafts)).toHaveLength(3)
    expect(textsOf(drafts)).toEqual(expected)
  }
})

test('however many texts are saved together, the forms of one go in one call, and no call has more than it takes', () => {
  const forms = ['zero', 'one', 'two', 'few', 'many', 'other']
  const drafts = forms.flatMap((form) =>
    Array.from({ length: 20 }, (_, at) => {
      const others = forms.filter((other) => other !== form).map((other) => `n${at}_${other}`)
      return { ...draftOf(`n${at}_${form}`, stored(`n${at}_${form}`, others)), text: 'typed' }
    }),
  )
  const calls = partsOf(drafts).map((part) => changesOf(part.drafts).map(({ key }) => key))
  expect(calls.flat().length).toBe(new Set(calls.flat()).size)
  expect(calls.flat()).toHaveLength(120)
  for (const keys of calls) expect(keys.length).toBeLessThanOrEqual(50)
})

test('what was typed stays on a text that somebody else changed, its other forms too, with the versions of now', () => {
  const mine = { ...draftOf('n_one', stored('n_one', ['n_few', 'n_many', 'n_two'])), text: 'mine' }
  mine.forms = mine.forms.map((form) => (form.key === 'n_many' ? form : { ...form, text: `mine ${form.key}` }))
  const theirs = stored('n_one', [], {
    text: 'theirs',
    own: 'theirs',
    version: 3,
    forms: [
      { key: 'n_few', own: 'their few', text: 'their few', version: 4 },
      { key: 'n_many', own: 'their many', text: 'their many', version: 5 },
      { key: 'n_two', own: null, text: 'shipped n_two', version: 0 },
    ],
  })
  expect(changesOf([rebase(mine, theirs)])).toEqual([
    { key: 'n_few', text: 'mine n_few', version: 4, before: 'their few' },
    { key: 'n_two', text: 'mine n_two', version: 0, before: null },
    { key: 'n_one', text: 'mine', version: 3, before: 'theirs' },
  ])
})
