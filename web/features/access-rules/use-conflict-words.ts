import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessRule, RuleReference } from '#shared/contract/access-rules.ts'
import { isRefusal } from '../../platform/refusal.ts'
import type { Conflict } from '../../ui/ConflictNotice.tsx'
import { applicationsText, outcomeText, whenText, whereText, whoText, wordsOf } from './rule-words.ts'

const COMPARED = [
  'name',
  'names',
  'mode',
  'who',
  'where',
  'when',
  'applications',
  'outcome',
  'message',
  'messages',
] as const
/** Labels that other pages have too. */
const LABELS = {
  names: 'audit-field.names',
  outcome: 'access-rule.then',
  messages: 'access-rule.other-messages',
} as const
const isShared = (field: (typeof COMPARED)[number]): field is keyof typeof LABELS => Object.hasOwn(LABELS, field)
const NOTHING = {
  who: { categories: [], organizations: [], roles: [], administrators: false },
  where: { ranges: [], kinds: [], place: 'inside' },
  when: { weekdays: [], from: null, to: null, zone: 'Asia/Shanghai' },
  applications: [],
} as const satisfies object

/** Labels and values of a rule for the dialog about a version conflict. */
export function useConflictWords(edited: AccessRule | null) {
  const { t, i18n } = useTranslation()
  /** The names that the other version refers to arrive with the refusal. */
  const references = useRef<readonly RuleReference[]>(edited?.references ?? [])
  const show = (field: keyof AccessRule, value: unknown): string | undefined => {
    const rule = { ...NOTHING, references: [...references.current], [field]: value } as unknown as AccessRule
    const words = wordsOf(t, rule)
    const formatters: { [Field in keyof AccessRule]?: () => string } = {
      mode: () => t(`access-rule.mode.${rule.mode}`),
      who: () => whoText(t, words.who),
      where: () => whereText(t, words.where),
      when: () => whenText(t, i18n.language, words.when),
      applications: () => applicationsText(t, words.applications),
      outcome: () => outcomeText(t, rule.outcome),
    }
    return formatters[field]?.()
  }
  const labels = Object.fromEntries(
    COMPARED.map((field) => [field, t(isShared(field) ? LABELS[field] : `access-rule.${field}`)]),
  )
  const note = (current: AccessRule) => {
    references.current = [...references.current, ...current.references]
  }
  return {
    note,
    conflict: { labels, show } satisfies Pick<Conflict<AccessRule>, 'labels' | 'show'>,
    /** @throws the given error. */
    learn: (error: unknown): never => {
      if (isRefusal(error, 'version.conflict')) note((error.data as { current: AccessRule }).current)
      throw error
    },
  }
}
