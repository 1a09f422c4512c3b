import type { TFunction } from 'i18next'
import type { z } from 'zod'
import type { AccessRule, RuleMode, RuleOutcome, RuleReferenceField, RuleWhen } from '#shared/contract/access-rules.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { givenNames } from '../../ui/NamesFields.tsx'
import type { PickerOption } from '../../ui/Picker.tsx'
import type { RuleFields } from './rule-fields.ts'
import { PORTAL, type RuleWords, referenceName, referenceOf } from './rule-words.ts'

type Texts = Record<Language, string>

/** The parts of a rule. A part that is switched off keeps its selection, in case it is switched on again. */
export type Dimension = 'who' | 'where' | 'when' | 'applications'
export const DIMENSIONS: readonly Dimension[] = ['who', 'where', 'when', 'applications']

export type RuleDraft = {
  name: string
  names: Texts
  mode: RuleMode
  outcome: RuleOutcome
  message: string
  messages: Texts
  /** The parts that restrict the rule; it applies to everything in the others. */
  narrows: Record<Dimension, boolean>
  categories: readonly PickerOption[]
  organizations: readonly PickerOption[]
  roles: readonly PickerOption[]
  administrators: boolean
  place: AccessRule['where']['place']
  kinds: AccessRule['where']['kinds']
  ranges: readonly PickerOption[]
  weekdays: readonly number[]
  from: string
  to: string
  zone: string
  portal: boolean
  applications: readonly PickerOption[]
}

const EMPTY: RuleDraft = {
  name: '',
  names: {},
  mode: 'report',
  outcome: 'second-factor',
  message: '',
  messages: {},
  narrows: { who: false, where: false, when: false, applications: false },
  categories: [],
  organizations: [],
  roles: [],
  administrators: false,
  place: 'inside',
  kinds: [],
  ranges: [],
  weekdays: [],
  from: '',
  to: '',
  zone: 'Asia/Shanghai',
  portal: false,
  applications: [],
}

/** Suggested rules. */
const PRESETS = {
  administrators: { narrows: { ...EMPTY.narrows, who: true }, administrators: true },
  'off-campus': { narrows: { ...EMPTY.narrows, where: true }, place: 'outside', kinds: ['campus'] },
  blocked: { narrows: { ...EMPTY.narrows, where: true }, kinds: ['blocked'], outcome: 'refuse' },
} as const satisfies Record<string, object>
export type RulePreset = keyof typeof PRESETS

export const newDraft = (t: TFunction, preset?: RulePreset): RuleDraft =>
  preset
    ? ({ ...EMPTY, ...structuredClone(PRESETS[preset]), name: t(`access-rule.preset.${preset}`) } as RuleDraft)
    : EMPTY

export function draftOfRule(t: TFunction, rule: AccessRule): RuleDraft {
  const { who, where, when, applications } = rule
  const chosen = (field: RuleReferenceField, values: readonly string[]): PickerOption[] =>
    values.map((id) => {
      const reference = referenceOf(rule, field, id)
      return { id, label: reference ? referenceName(t, reference) : id }
    })
  return {
    name: rule.name,
    names: rule.names,
    mode: rule.mode,
    outcome: rule.outcome,
    message: rule.message,
    messages: rule.messages,
    narrows: {
      who: who.administrators || [who.categories, who.organizations, who.roles].some(({ length }) => length > 0),
      where: where.kinds.length > 0 || where.ranges.length > 0,
      when: when.weekdays.length > 0 || when.from !== null,
      applications: applications.length > 0,
    },
    categories: chosen('who.categories', who.categories),
    organizations: chosen('who.organizations', who.organizations),
    roles: chosen('who.roles', who.roles),
    administrators: who.administrators,
    place: where.place,
    kinds: where.kinds,
    ranges: chosen('where.ranges', where.ranges),
    weekdays: when.weekdays,
    from: when.from ?? '',
    to: when.to ?? '',
    zone: when.zone,
    portal: applications.includes(PORTAL),
    applications: chosen(
      'applications',
      applications.filter((one) => one !== PORTAL),
    ),
  }
}

/** `22`, `2200` and `22：00` become `22:00`; anything else is left for the server to refuse. */
export function toClock(text: string): string {
  const typed = text.normalize('NFKC').trim()
  const [, hours, minutes = '00'] = /^(\d{1,2}?)(?:[:.]?(\d{2}))?$/.exec(typed) ?? []
  return hours ? `${hours.padStart(2, '0')}:${minutes}` : typed
}

/** A captcha is required before it is known who logs in, so it can't depend on the person. */
const narrowingOf = ({ narrows, outcome }: RuleDraft): RuleDraft['narrows'] =>
  outcome === 'captcha' ? { ...narrows, who: false } : narrows

const ids = (chosen: readonly PickerOption[]): string[] => chosen.map(({ id }) => id)

export function fieldsOfDraft(draft: RuleDraft): RuleFields {
  const narrows = narrowingOf(draft)
  const some = (part: Dimension, chosen: readonly PickerOption[]): string[] => (narrows[part] ? ids(chosen) : [])
  return {
    name: draft.name,
    names: givenNames(draft.names),
    mode: draft.mode,
    who: {
      categories: some('who', draft.categories),
      organizations: some('who', draft.organizations),
      roles: some('who', draft.roles),
      administrators: narrows.who && draft.administrators,
    },
    where: {
      place: narrows.where ? draft.place : 'inside',
      kinds: narrows.where ? [...draft.kinds] : [],
      ranges: some('where', draft.ranges),
    },
    when: whenOfDraft(draft),
    applications: [
      ...(narrows.applications && draft.portal ? [PORTAL] : []),
      ...some('applications', draft.applications),
    ],
    outcome: draft.outcome,
    message: draft.outcome === 'refuse' ? draft.message : '',
    messages: draft.outcome === 'refuse' ? givenNames(draft.messages) : {},
  }
}

function whenOfDraft({ narrows, weekdays, from, to, zone }: RuleDraft): z.output<typeof RuleWhen> {
  if (!narrows.when) return { weekdays: [], from: null, to: null, zone }
  return { weekdays: [...weekdays], from: toClock(from) || null, to: toClock(to) || null, zone }
}

const labels = (chosen: readonly PickerOption[]): string[] => chosen.map(({ label }) => label)

/** The words of the sentence above the form. */
export function wordsOfDraft(t: TFunction, draft: RuleDraft): RuleWords {
  const narrows = narrowingOf(draft)
  const some = (part: Dimension, chosen: readonly PickerOption[]): string[] => (narrows[part] ? labels(chosen) : [])
  const { from, to, ...when } = whenOfDraft(draft)
  return {
    who: {
      administrators: narrows.who && draft.administrators,
      names: [...some('who', draft.categories), ...some('who', draft.organizations), ...some('who', draft.roles)],
    },
    where: { place: draft.place, kinds: narrows.where ? draft.kinds : [], names: some('where', draft.ranges) },
    when: { ...when, from, to },
    applications: [
      ...(narrows.applications && draft.portal ? [t('access-rule.portal')] : []),
      ...some('applications', draft.applications),
    ],
  }
}

/** Parts that are switched on without a selection: the rule would apply to everything. */
export function emptyParts(draft: RuleDraft): Dimension[] {
  const { who, where, when, applications } = fieldsOfDraft(draft)
  const isEmpty: Record<Dimension, boolean> = {
    who: !who.administrators && who.categories.length + who.organizations.length + who.roles.length === 0,
    where: where.kinds.length + where.ranges.length === 0,
    when: when.weekdays.length === 0 && when.from === null && when.to === null,
    applications: applications.length === 0,
  }
  return DIMENSIONS.filter((part) => narrowingOf(draft)[part] && isEmpty[part])
}
