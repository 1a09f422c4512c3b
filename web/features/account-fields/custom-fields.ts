import i18next from 'i18next'
import { type StoredFieldRules, updateFieldRules } from '#shared/contract/account-fields.ts'
import type { CustomChoice, CustomField, CustomKind } from '#shared/contract/custom-fields.ts'
import type { Language } from '#shared/contract/endpoint.ts'
import { MAX_JUDGED_LENGTH } from '#shared/contract/field-rules.ts'
import { call } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import { isRefusal, Refusal } from '../../platform/refusal.ts'
import { givenNames, type Names } from '../../ui/NamesFields.tsx'
import { FIELD_RULES_KEY, ownFormat, refreshFieldRules } from './field-rules.ts'

/** The name in the language of the page. */
export const nameOf = ({ name, names }: { name: string; names: Names }): string =>
  names[i18next.language as Language] ?? name

export const CUSTOM_PRESETS = ['any', 'digits', 'letters-digits', 'chinese', 'pattern'] as const

/** A field as edited in the form: the format in parts. */
export type CustomDraft = Omit<CustomField, 'format' | 'isRemoved'> & {
  preset: (typeof CUSTOM_PRESETS)[number]
  pattern: string
  minLength: string
  maxLength: string
  expected: Names
}

const NEW: CustomField = {
  key: '',
  kind: 'text',
  name: '',
  names: {},
  choices: [],
  required: 'never',
  editableBy: 'administrators',
  visibleTo: 'self',
  format: 'any',
  isUnique: false,
  isSensitive: false,
  askAtActivation: false,
  isRemoved: false,
}

export function draftOfCustom(field: CustomField | null): CustomDraft {
  const { format, isRemoved: _, ...rest } = field ?? NEW
  const own = typeof format === 'object' ? format : null
  return {
    ...rest,
    preset: typeof format === 'object' ? 'pattern' : format,
    pattern: own?.pattern ?? '',
    minLength: String(own?.minLength ?? 0),
    maxLength: String(own?.maxLength ?? MAX_JUDGED_LENGTH),
    expected: own?.expected ?? {},
  }
}

const choiceOf = ({ names, ...choice }: CustomChoice): CustomChoice => ({ ...choice, names: givenNames(names) })

export function fieldOfDraft(draft: CustomDraft): CustomField {
  const { preset, pattern, minLength, maxLength, expected, names, choices, ...rest } = draft
  const own = ownFormat({ pattern, minLength, maxLength, expected })
  const isText = draft.kind === 'text'
  return {
    ...rest,
    names: givenNames(names),
    choices: draft.kind === 'choice' ? choices.map(choiceOf) : [],
    format: isText ? (preset === 'pattern' ? own : preset) : 'any',
    isUnique: isText && draft.isUnique,
    isRemoved: false,
  }
}

export const customOf = ({ values }: StoredFieldRules): readonly CustomField[] => values.custom ?? []

/** Saves all fields in their order. @throws Refusal; a conflict carries the current document. */
export async function saveCustomFields(version: number, custom: readonly CustomField[]): Promise<void> {
  try {
    const body = { version, changes: { custom: [...custom] } }
    queryClient.setQueryData(FIELD_RULES_KEY, await call(updateFieldRules, { body }))
  } catch (error) {
    if (isRefusal(error, 'version.conflict')) {
      const { current } = error.data as { current: StoredFieldRules }
      queryClient.setQueryData(FIELD_RULES_KEY, current)
    }
    throw error
  }
  await refreshFieldRules()
}

/** A field with the version of its document. */
export type LoadedCustom = CustomField & { version: number }

/** The fields with one added or changed. */
export function withField(stored: StoredFieldRules, field: CustomField): CustomField[] {
  const all = customOf(stored)
  const isNew = !all.some(({ key }) => key === field.key)
  return isNew ? [...all, field] : all.map((one) => (one.key === field.key ? field : one))
}

type SavedField = {
  stored: StoredFieldRules
  /** What the form began with; null: a new field. */
  loaded: LoadedCustom | null
  field: CustomField
}

/** Saves a new or changed field. @throws Refusal that names the form's fields; a conflict carries the current field. */
export async function saveCustomField({ stored, loaded, field }: SavedField): Promise<void> {
  const isTaken = loaded === null && customOf(stored).some(({ key }) => key.toLowerCase() === field.key.toLowerCase())
  if (isTaken) throw refusalOf('key', i18next.t('custom-field.key-taken'))
  const custom = withField(stored, field)
  try {
    await saveCustomFields(loaded?.version ?? stored.version, custom)
  } catch (error) {
    const at = custom.findIndex(({ key }) => key === field.key)
    if (!isRefusal(error, 'version.conflict')) throw inForm(error, `changes.custom.${at}.`)
    const { current } = error.data as { current: StoredFieldRules }
    const found = customOf(current).find(({ key }) => key === field.key)
    throw new Refusal(error.state, error.code, error.message, {
      data: { current: found ? { ...found, version: current.version } : null },
    })
  }
}

const refusalOf = (field: string, reason: string) =>
  new Refusal(0, 'request.invalid', reason, { data: { fields: [{ field, reason }] } })

type Named = { fields?: { field: string; reason: string }[] }

/** A refusal names fields by their place in the document; the form names them without. */
function inForm(error: unknown, place: string): unknown {
  if (!isRefusal(error, 'request.invalid')) return error
  const named = ((error.data ?? {}) as Named).fields ?? []
  const fields = named.map(({ field, reason }) => ({
    field: field.replace(place, '').replace(/^format\b.*/, 'pattern'),
    reason,
  }))
  return new Refusal(error.state, error.code, error.message, { data: { fields }, requestId: error.requestId })
}

/** All choices in words. */
export const choicesWords = (choices: readonly CustomChoice[]): string =>
  choices
    .map((choice) => `${nameOf(choice)} (${choice.code})${choice.isOffered ? '' : ` · ${notOffered()}`}`)
    .join(i18next.t('list.separator')) || '—'

const notOffered = (): string => `${i18next.t('custom-field.choice-offered')}: ${i18next.t('field-rule.off')}`

/** The label of a kind of field. */
export const kindLabel = (kind: CustomKind): string => i18next.t(`custom-field.kind.${kind}`)
