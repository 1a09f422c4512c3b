import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const textsOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../shared/locales/${language}.json`, import.meta.url), 'utf8'))

/** Texts whose name is filled in as `person.named`, which ends in a full-width bracket in Chinese. */
const NAMED =
  /^(person\.ask\.|person\.end-all\.|person\.(link|reset)\.title|person\.done\.(set|cancel)_|role-member\.remove\.title-one|administrator\.(change-person|withdraw\.title)|current-login-manage\.kick-out\.title)/

test.each(['zh_CN', 'zh_TW'])('after the name of a person with its account no space follows in %s', (language) => {
  const texts = textsOf(language)
  expect(texts['person.named']).toMatch(/）$/)
  const spaced = Object.keys(texts).filter((key) => NAMED.test(key) && /\{\{name\}\} /.test(texts[key] ?? ''))
  expect(spaced).toEqual([])
})
