import type { Language } from '#shared/contract/endpoint.ts'
import type { ManagedLanguage } from '#shared/contract/languages.ts'
import type { Platform } from '../../platform/platform.ts'
import type { InterfaceLanguage } from '../../platform/wording-editions.ts'
import { hasProblem, keysIn, textIn } from './text-catalog.service.ts'
import { groupOf } from './text-keys.rules.ts'

/** Texts shown before anybody has logged in: the login page and error messages. */
const NEEDED = /^(login|light|errors\..+)$/

type Part = { total: number; translated: number }

/** How much of a language is translated. Plural forms count one by one. */
function coverageOf(platform: Platform, language: Language) {
  const groups = new Map<string, Part>()
  const totals = { total: 0, translated: 0, own: 0, outdated: 0, problems: 0 }
  for (const key of keysIn(platform, language)) {
    const one = textIn(platform, language, key)
    const group = groups.get(groupOf(key)) ?? { total: 0, translated: 0 }
    groups.set(groupOf(key), group)
    const isTranslated = one.own !== null || one.shipped !== null
    for (const part of [group, totals]) {
      part.total += 1
      part.translated += Number(isTranslated)
    }
    totals.own += Number(one.own !== null)
    totals.outdated += Number(one.formerlyShipped !== null)
    totals.problems += Number(isTranslated && hasProblem(platform, key, one))
  }
  return { groups, totals }
}

const neededOf = (groups: ReadonlyMap<string, Part>): Part => {
  const parts = [...groups].flatMap(([code, part]) => (NEEDED.test(code) ? [part] : []))
  const sum = (name: keyof Part) => parts.reduce((all, part) => all + part[name], 0)
  return { total: sum('total'), translated: sum('translated') }
}

/** How many of the texts required before a language can be offered are translated. */
export const neededCoverage = (platform: Platform, language: Language): Part =>
  neededOf(coverageOf(platform, language).groups)

export function managedLanguage(platform: Platform, language: InterfaceLanguage): ManagedLanguage {
  const { groups, totals } = coverageOf(platform, language.code)
  const inOrder = [...groups].map(([code, part]) => ({ code, ...part })).sort((a, b) => (a.code < b.code ? -1 : 1))
  return { ...language, coverage: totals, groups: inOrder, needed: neededOf(groups) }
}
