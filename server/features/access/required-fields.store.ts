import type { AccountField, AccountFieldRules } from '#shared/contract/account-fields.ts'

/** SQL conditions on `users u`: the person has no value. Account and name everybody has. */
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

export type RequiredField = keyof typeof LACKS
export const REQUIRABLE_FIELDS = Object.keys(LACKS) as RequiredField[]

/** Required of everybody who has logged in. */
export const isRequiredAfterLogin = (rules: AccountFieldRules, field: RequiredField): boolean =>
  rules[field].required === 'next-login' || rules[field].required === 'always'

/** What can be asked of people themselves: who may not give a value can't be kept out for the lack of it. */
export const fieldsAskedOfPeople = (rules: AccountFieldRules): RequiredField[] =>
  REQUIRABLE_FIELDS.filter(
    (field) =>
      isRequiredAfterLogin(rules, field) && rules[field].editableBy === 'self' && rules[field].visibleTo === 'self',
  )

/** SQL condition: the person `u` lacks one of these. */
export const lacksText = (fields: readonly RequiredField[]): string =>
  fields.length === 0 ? 'false' : `(${fields.map((field) => LACKS[field]).join(' or ')})`

/** SQL value: which of these the person `u` lacks, `text[]`. */
export const lackedText = (fields: readonly RequiredField[]): string =>
  fields.length === 0
    ? `'{}'::text[]`
    : `array_remove(array[${fields.map((field) => `case when ${LACKS[field]} then '${field}' end`).join(', ')}], null)`
