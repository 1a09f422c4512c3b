import type { AccountField, AccountFieldRules } from '#shared/contract/account-fields.ts'
import type { CustomField } from '#shared/contract/custom-fields.ts'
import {
  CUSTOM_KEY,
  type CustomFieldName,
  customName,
  isAskedAfterLogin,
  isCustomName,
  keyOfCustom,
} from '#shared/contract/field-rules.ts'
import { PROTECTED_TEXT } from './protected-people.store.ts'

/** SQL conditions on `users u`: the person has no value. Account and name are always set. */
const LACKS = {
  nickname: 'u.nickname is null',
  alias: 'u.alias is null',
  phone: 'u.phone is null',
  mailbox: 'u.mailbox is null',
  gender: `u.gender = 'unknown'`,
  birthday: 'u.birthday is null',
  idNumber: 'u.id_number is null',
  avatar: 'u.avatar_id is null',
} satisfies Partial<Record<AccountField, string>>

type ProductField = keyof typeof LACKS
export type RequiredField = ProductField | CustomFieldName
export const REQUIRABLE_FIELDS = Object.keys(LACKS) as ProductField[]

function lackText(field: RequiredField): string {
  if (!isCustomName(field)) return LACKS[field]
  const key = keyOfCustom(field)
  // It becomes part of the SQL text.
  if (!CUSTOM_KEY.test(key)) throw new Error('no key of a field')
  return `u.custom_values ->> '${key}' is null`
}

/** Required of everybody after login. */
export const isRequiredAfterLogin = (rules: AccountFieldRules, field: ProductField): boolean =>
  isAskedAfterLogin(rules[field].required)

/** What people can be asked for: whoever may not edit a field can't be kept out for lacking it. */
export const fieldsAskedOfPeople = (rules: AccountFieldRules, custom: readonly CustomField[]): RequiredField[] => [
  ...REQUIRABLE_FIELDS.filter((field) => isRequiredAfterLogin(rules, field) && isTheirs(rules[field])),
  ...custom
    .filter((field) => !field.isRemoved && isAskedAfterLogin(field.required) && isTheirs(field))
    .map(({ key }) => customName(key)),
]

const isTheirs = ({ editableBy, visibleTo }: Pick<CustomField, 'editableBy' | 'visibleTo'>): boolean =>
  editableBy === 'self' && visibleTo === 'self'

/** SQL condition: the person `u` lacks one of these fields, and no source owns it: people can't be asked for what only a source fills in. */
export const demandsText = (fields: readonly RequiredField[]): string =>
  fields.length === 0 ? 'false' : `(${fields.map(demandText).join(' or ')})`

/** SQL condition: a sync owns this field, of the same name in mappings, of the person `u`. */
const isOwnedText = (field: RequiredField): string => `exists (
  select from directory_links l join directory_syncs y on y.id = l.sync_id
  where l.user_id = u.id and l.missing_since is null and y.mapping @> '[{"field": "${field}"}]' and not ${PROTECTED_TEXT})`

const demandText = (field: RequiredField): string =>
  // No source has pictures.
  field === 'avatar' ? lackText(field) : `(${lackText(field)} and not ${isOwnedText(field)})`

/** SQL value: which of these fields the person `u` lacks, `text[]`. */
export const lackedText = (fields: readonly RequiredField[]): string =>
  fields.length === 0
    ? `'{}'::text[]`
    : `array_remove(array[${fields.map((field) => `case when ${lackText(field)} then '${field}' end`).join(', ')}], null)`
