import type { TFunction } from 'i18next'
import type { AccessRule, RuleOutcome, RuleReference, RuleReferenceField } from '#shared/contract/access-rules.ts'
import { weekdayName } from '../../platform/format-time.ts'

/** The parts of a rule in words. */
export type RuleWords = {
  who: { administrators: boolean; names: readonly string[] }
  where: {
    place: 'inside' | 'outside'
    kinds: readonly AccessRule['where']['kinds'][number][]
    names: readonly string[]
  }
  when: AccessRule['when']
  applications: readonly string[]
}

/** The value in `applications` that stands for the portal. */
export const PORTAL = 'portal'

type Names = Pick<AccessRule, 'references'>

export const referenceOf = ({ references }: Names, field: RuleReferenceField, value: string) =>
  references.find((one) => one.field === field && one.value === value)

/** The name of something a rule refers to, with a note if it is gone. */
export const referenceName = (t: TFunction, { name, state }: Pick<RuleReference, 'name' | 'state'>): string =>
  state === 'there' ? name : t(`access-rule.reference.${state}`, { name })

/** The words of a stored rule. */
export function wordsOf(
  t: TFunction,
  rule: Pick<AccessRule, 'who' | 'where' | 'when' | 'applications'> & Names,
): RuleWords {
  const named = (field: RuleReferenceField, values: readonly string[]) =>
    values.map((value) => {
      if (field === 'applications' && value === PORTAL) return t('access-rule.portal')
      const reference = referenceOf(rule, field, value)
      return reference ? referenceName(t, reference) : value
    })
  const { who, where, when, applications } = rule
  return {
    who: {
      administrators: who.administrators,
      names: [
        ...named('who.categories', who.categories),
        ...named('who.organizations', who.organizations),
        ...named('who.roles', who.roles),
      ],
    },
    where: { place: where.place, kinds: where.kinds, names: named('where.ranges', where.ranges) },
    when,
    applications: named('applications', applications),
  }
}

const listed = (t: TFunction, words: readonly string[]): string => words.join(t('list.separator'))

export function whoText(t: TFunction, { administrators, names }: RuleWords['who']): string {
  const all = [...(administrators ? [t('access-rule.administrators')] : []), ...names]
  return all.length > 0 ? listed(t, all) : t('access-rule.who.all')
}

export function whereText(t: TFunction, { place, kinds, names }: RuleWords['where']): string {
  const [kind, ...others] = kinds
  if (!kind && names.length === 0) return t('access-rule.where.all')
  if (kind === 'campus' && others.length === 0 && names.length === 0) return t(`access-rule.where.${place}-campus`)
  return t(`access-rule.where.${place}`, {
    names: listed(t, [...kinds.map((one) => t(`access-rule.ranges.${one}`)), ...names]),
  })
}

const WORKDAYS = '1,2,3,4,5'
const WEEKEND = '6,7'

function daysText(t: TFunction, language: string, weekdays: readonly number[]): string {
  const days = weekdays.toSorted((a, b) => a - b)
  const key = days.join(',')
  if (key === WORKDAYS) return t('access-rule.when.workdays')
  if (key === WEEKEND) return t('access-rule.when.weekend')
  return listed(
    t,
    days.map((day) => weekdayName(day, language)),
  )
}

export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export function whenText(t: TFunction, language: string, { weekdays, from, to, zone }: RuleWords['when']): string {
  const days = daysText(t, language, weekdays)
  // Joined, so that no line ends within it.
  const hours = from && to ? `${from}\u2060–\u2060${to}` : ''
  const time = [days, hours].filter(Boolean).join(' ')
  if (!time) return t('access-rule.when.all')
  // A reader assumes their own time zone.
  return zone === ownZone() ? time : t('access-rule.when.in-zone', { time, zone })
}

export const applicationsText = (t: TFunction, applications: RuleWords['applications']): string =>
  applications.length > 0 ? listed(t, applications) : t('access-rule.applications.all')

/** The conditions of a rule in words; parts without a restriction are left out. */
export function conditionsText(t: TFunction, language: string, { who, where, when, applications }: RuleWords): string {
  const parts = [
    whoText(t, who),
    (where.kinds.length > 0 || where.names.length > 0) && whereText(t, where),
    (when.weekdays.length > 0 || when.from) && whenText(t, language, when),
    applications.length > 0 && applicationsText(t, applications),
  ]
  return parts.filter(Boolean).join(' · ')
}

export const outcomeText = (t: TFunction, then: RuleOutcome): string => t(`access-rule.outcome.${then}`)
