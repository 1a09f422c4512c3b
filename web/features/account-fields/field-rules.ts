import i18next from 'i18next'
import {
  type AccountField,
  type AccountFieldRules,
  FIELD_CHOICES,
  FIELD_RULE_KEYS,
  FIELD_RULE_NAMES,
  type FieldRuleName,
  type FieldRules,
  type FieldRuleValues,
  fieldRulesDetails,
  rulesOf,
  type StoredFieldRules,
  updateFieldRules,
} from '#shared/contract/account-fields.ts'
import { type FieldFormat, type FieldPreset, MAX_JUDGED_LENGTH } from '#shared/contract/field-rules.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { isRefusal, Refusal } from '../../platform/refusal.ts'
import { isSameValue } from '../../platform/same-value.ts'
import { givenNames, type Names } from '../../ui/NamesFields.tsx'

export const FIELD_RULES_KEY = ['account-field-rules']

export const fieldRulesQuery = {
  queryKey: FIELD_RULES_KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(fieldRulesDetails, {}, { signal }),
}

export const DEFAULT_RULES: AccountFieldRules = rulesOf({})

/** The rules of one field, with the version of their document. */
export type LoadedRules = FieldRules & { version: number }

export const toLoaded = (field: AccountField, { version, values }: StoredFieldRules): LoadedRules => ({
  ...rulesOf(values)[field],
  version,
})

export const isOpenRule = (field: AccountField, name: FieldRuleName): boolean =>
  FIELD_RULE_KEYS.includes(`${field}.${name}`)

/** Why rules of a field can’t be chosen; each has the message `field-rule.fixed.<reason>`. */
export function fixedReasons(field: AccountField) {
  const { required, isUnique, hasPattern } = FIELD_CHOICES[field]
  const isFixed = (name: FieldRuleName) => !isOpenRule(field, name)
  const because = <Reason extends string>(condition: boolean, reason: Reason): Reason[] => (condition ? [reason] : [])
  return [
    ...because(isFixed('required'), 'required'),
    ...because(!isFixed('required') && !required.includes('activation'), 'avatar-activation'),
    ...because(isFixed('editableBy'), 'editableBy'),
    ...because(isFixed('visibleTo'), field === 'idNumber' ? 'idNumber-visibleTo' : 'visibleTo'),
    ...because(!hasPattern, 'format'),
    ...because(isFixed('isUnique'), isUnique[0] ? 'unique' : field === 'avatar' ? 'avatar-unique' : 'not-unique'),
    ...because(isFixed('isLoginName'), 'isLoginName'),
    ...because(isFixed('askAtActivation'), field === 'account' ? 'account-asked' : 'not-asked'),
  ]
}

/** A rule in a word. */
export function ruleWord(name: FieldRuleName, value: unknown): string {
  if (typeof value === 'boolean') return i18next.t(value ? 'field-rule.on' : 'field-rule.off')
  if (name === 'format' && typeof value === 'object') return i18next.t('field-rule.format.own')
  return i18next.t(`field-rule.${name as 'required'}.${value as 'never'}`)
}

/** A format in words, a custom one with everything that makes it up. */
export function formatWords(format: FieldFormat): string {
  if (typeof format === 'string') return ruleWord('format', format)
  const { pattern, minLength, maxLength, expected = {} } = format
  const parts = [ruleWord('format', format), pattern, `${minLength}–${maxLength}`, ...Object.values(expected)]
  return parts.filter(Boolean).join(i18next.t('list.separator'))
}

/** Rules as edited in the form: a custom format in parts. */
export type RuleDraft = Omit<FieldRules, 'format'> & {
  preset: FieldPreset | 'own'
  pattern: string
  minLength: string
  maxLength: string
  expected: Names
}

export function draftOf({ version: _, format, ...rules }: LoadedRules): RuleDraft {
  const own = typeof format === 'object' ? format : null
  return {
    ...rules,
    preset: typeof format === 'object' ? 'own' : format,
    pattern: own?.pattern ?? '',
    minLength: String(own?.minLength ?? 0),
    maxLength: String(own?.maxLength ?? MAX_JUDGED_LENGTH),
    expected: own?.expected ?? {},
  }
}

export const formatOf = ({ preset, ...draft }: RuleDraft): FieldFormat => (preset === 'own' ? ownFormat(draft) : preset)

export function rulesOfDraft(draft: RuleDraft): FieldRules {
  const { preset: _, pattern: __, minLength: ___, maxLength: ____, expected: _____, ...rules } = draft
  return { ...rules, format: formatOf(draft) }
}

/** A custom pattern, as it is saved. */
export function ownFormat({
  pattern,
  minLength,
  maxLength,
  expected,
}: Pick<RuleDraft, 'pattern' | 'minLength' | 'maxLength' | 'expected'>): Exclude<FieldFormat, string> {
  const given = givenNames(expected)
  return {
    pattern,
    minLength: Number(minLength),
    maxLength: Number(maxLength),
    ...(Object.keys(given).length > 0 && { expected: given }),
  }
}

export const isDefault = (field: AccountField, name: FieldRuleName, value: unknown): boolean =>
  isSameValue(value, DEFAULT_RULES[field][name])

/** The body of a save: values equal to the default are reset, so that they follow later defaults. */
export function editOf(field: AccountField, loaded: LoadedRules, draft: RuleDraft) {
  const rules = rulesOfDraft(draft)
  const changed = FIELD_RULE_NAMES.filter((name) => isOpenRule(field, name) && !isSameValue(rules[name], loaded[name]))
  const changes: FieldRuleValues = Object.fromEntries(
    changed.filter((name) => !isDefault(field, name, rules[name])).map((name) => [`${field}.${name}`, rules[name]]),
  )
  return {
    changes,
    reset: changed.filter((name) => isDefault(field, name, rules[name])).map((name) => `${field}.${name}` as const),
  }
}

/** Refreshes what depends on the rules: their history, forms of people, the notice about unconfirmed changes. */
export async function refreshFieldRules(): Promise<void> {
  const keys = [['changes'], ['person-fields'], ['unconfirmed-changes']]
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

type Save = { field: AccountField; loaded: LoadedRules; draft: RuleDraft; force: boolean }

/** Saves the rules of a field. @throws Refusal; a conflict carries the current rules. */
export async function saveRules({ field, loaded, draft, force }: Save): Promise<void> {
  try {
    const body = { version: loaded.version, ...editOf(field, loaded, draft), force }
    queryClient.setQueryData(FIELD_RULES_KEY, await call(updateFieldRules, { body }))
  } catch (error) {
    if (!isRefusal(error, 'version.conflict')) throw error
    const { current } = error.data as { current: StoredFieldRules }
    queryClient.setQueryData(FIELD_RULES_KEY, current)
    throw new Refusal(error.state, error.code, error.message, { data: { current: toLoaded(field, current) } })
  }
  notify('well', i18next.t('field-rule.saved', { field: i18next.t(`person-field.${field}`) }))
  await refreshFieldRules()
}

export const presetsOf = (field: AccountField): readonly (FieldPreset | 'own')[] =>
  FIELD_CHOICES[field].hasPattern ? [...FIELD_CHOICES[field].format, 'own'] : FIELD_CHOICES[field].format
