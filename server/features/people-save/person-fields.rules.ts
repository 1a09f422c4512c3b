import type { CustomField } from '#shared/contract/custom-fields.ts'
import { isCustomName, keyOfCustom } from '#shared/contract/field-rules.ts'
import type { FieldProblem, PersonProblem } from '#shared/contract/users.ts'
import { brokenAliasRules, isReservedAlias } from '#shared/rules/alias.ts'
import { isBirthday } from '#shared/rules/birthday.ts'
import { canonicalIdNumber } from '#shared/rules/id-number.ts'
import { canonicalMailbox, MAX_MAILBOX_LENGTH } from '#shared/rules/mailbox.ts'
import { isStorableMoment } from '#shared/rules/moment-range.ts'
import { canonicalNickname, nicknameProblem } from '#shared/rules/nickname.ts'
import { toValidPhone } from '#shared/rules/phone.ts'
import { readCustomValue } from '../account-fields/index.ts'
import type { PersonFields, PersonInput } from './save-users.types.ts'

const MAX_ACCOUNT_LENGTH = 64
const MAX_NAME_LENGTH = 100
const MAX_ID_NUMBER_LENGTH = 40
/** White space, invisible characters, and those that would have to be escaped in a URL. */
const FORBIDDEN_IN_ACCOUNT = /[\s\p{C}/\\?#]/u
const FORBIDDEN_IN_NAME = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u

/** A value as it will be stored, or what is wrong with it. */
export type Validated<T> = { value: T } | { problem: PersonProblem }

const normalizeText = (text: string): string => text.normalize('NFC').trim()

/** Validates an account, which is stored as written. */
export function validateAccount(text: string): Validated<string> {
  const account = normalizeText(text)
  if (account === '') return { problem: 'missing' }
  if (account.length > MAX_ACCOUNT_LENGTH) return { problem: 'too-long' }
  return FORBIDDEN_IN_ACCOUNT.test(account) ? { problem: 'characters' } : { value: account }
}

function validateName(text: string): Validated<string> {
  const name = normalizeText(text)
  if (name === '') return { problem: 'missing' }
  if (name.length > MAX_NAME_LENGTH) return { problem: 'too-long' }
  return FORBIDDEN_IN_NAME.test(name) ? { problem: 'characters' } : { value: name }
}

/** For a text that may be absent: null and empty are the same. */
const optional =
  (check: (text: string) => Validated<string>) =>
  (text: string | null): Validated<string | null> => {
    const tidied = text === null ? '' : normalizeText(text)
    return tidied === '' ? { value: null } : check(tidied)
  }

const phone = optional((text) => {
  const value = toValidPhone(text)
  return value === null ? { problem: 'format' } : { value }
})

const mailbox = optional((text) => {
  if (text.length > MAX_MAILBOX_LENGTH) return { problem: 'too-long' }
  const value = canonicalMailbox(text)
  return value === null ? { problem: 'format' } : { value }
})

const alias = optional((value) => {
  if (brokenAliasRules(value).length > 0) return { problem: 'format' }
  return isReservedAlias(value) ? { problem: 'reserved' } : { value }
})

const idNumber = optional((text) => {
  const value = canonicalIdNumber(text)
  if (value.length > MAX_ID_NUMBER_LENGTH) return { problem: 'too-long' }
  return value === '' || FORBIDDEN_IN_ACCOUNT.test(value) ? { problem: 'format' } : { value }
})

const nickname = optional((text) => {
  const value = canonicalNickname(text)
  const problem = nicknameProblem(value)
  if (problem === null) return { value }
  return { problem: problem === 'too-long' ? 'too-long' : 'characters' }
})

const birthday = (today: Date) =>
  optional((value) => {
    if (isBirthday(value, today)) return { value }
    const isFuture = /^\d{4}-\d\d-\d\d$/.test(value) && value > today.toISOString()
    return { problem: isFuture ? 'future' : 'format' }
  })

const moment = optional((text) => {
  const at = new Date(text)
  return isStorableMoment(at) ? { value: at.toISOString() } : { problem: 'format' }
})

type Validators = { [Field in keyof PersonFields]?: (value: never) => Validated<unknown> }

const validatorsFor = (today: Date) =>
  ({
    name: validateName,
    nickname,
    birthday: birthday(today),
    idNumber,
    phone,
    mailbox,
    alias,
    validFrom: moment,
    validUntil: moment,
  }) satisfies Validators

export type ValidatedPerson = { fields: PersonFields; problems: FieldProblem[] }

/** The given fields as they will be stored, and what is wrong with their form. */
export function validateFields(input: PersonInput, today: Date, custom: readonly CustomField[]): ValidatedPerson {
  const { account: _, id: __, version: ___, ...given } = input
  const fields: Record<string, unknown> = {}
  const problems: FieldProblem[] = []
  const checks: Record<string, ((value: never) => Validated<unknown>) | undefined> = validatorsFor(today)
  for (const [field, value] of Object.entries(given)) {
    if (value === undefined) continue
    const checked = isCustomName(field)
      ? customValue(custom, keyOfCustom(field), value as string | null)
      : (checks[field]?.(value as never) ?? { value })
    if ('problem' in checked) problems.push({ field: field as FieldProblem['field'], problem: checked.problem })
    else fields[field] = checked.value
  }
  return { fields: fields as PersonFields, problems }
}

function customValue(fields: readonly CustomField[], key: string, value: string | null): Validated<string | null> {
  const field = fields.find((one) => one.key === key)
  return field ? readCustomValue(field, value) : { problem: 'unknown' }
}
