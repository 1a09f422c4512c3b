import type { Language } from '#shared/contract/endpoint.ts'
import type { ManagedLanguage } from '#shared/contract/languages.ts'
import type { Platform } from '../../platform/platform.ts'
import type { InterfaceLanguage } from '../../platform/wording-editions.ts'
import { hasProblem, keysIn, textIn } from './text-catalog.service.ts'
import { groupOf } from './text-keys.rules.ts'

/** What a visitor meets before anybody knows who they are: the login page, and whatever is refused. */
const NEEDED = /^(login|light|errors\..+)$/

type Part = { total: number; translated: number }

/** How far the texts of a language are. The forms that it has for numbers count one by one. */
function coverageOf(platform: Platform, language: Language) {
  const groups = new Map<string, Part>()
  const whole = { total: 0, translated: 0, own: 0, outdated: 0, problems: 0 }
  for (const key of keysIn(platform, language)) {
    const one = textIn(platform, language, key)
    const group = groups.get(groupOf(key)) ?? { total: 0, translated: 0 }
    groups.set(groupOf(key), group)
    const isSaid = one.own !== null || one.shipped !== null
    for (const part of [group, whole]) {
      part.total += 1
      part.translated += Number(isSaid)
    }
    whole.own += Number(one.own !== null)
    whole.outdated += Number(one.formerlyShipped !== null)
    whole.problems += Number(isSaid && hasProblem(platform, key, one))
  }
  return { groups, whole }
}

const neededOf = (groups: ReadonlyMap<string, Part>): Part => {
  const parts = [...groups].flatMap(([code, part]) => (NEEDED.test(code) ? [part] : []))
  const sum = (name: keyof Part) => parts.reduce((all, part) => all + part[name], 0)
  return { total: sum('total'), translated: sum('translated') }
}

/** Of the texts that a language needs before anybody is offered it, how many there are. */
export const neededCoverage = (platform: Platform, language: Language): Part =>
  neededOf(coverageOf(platform, language).groups)

export function managedLanguage(platform: Platform, language: InterfaceLanguage): ManagedLanguage {
  const { groups, whole } = coverageOf(platform, language.code)
  const inOrder = [...groups].map(([code, part]) => ({ code, ...part })).sort((a, b) => (a.code < b.code ? -1 : 1))
  return { ...language, coverage: whole, groups: inOrder, needed: neededOf(groups) }
}
