import type { FieldProblem, PersonProblem } from '#shared/contract/users.ts'
import { brokenAliasRules, isReservedAlias } from '#shared/rules/alias.ts'
import { isBirthday } from '#shared/rules/birthday.ts'
import { canonicalIdNumber } from '#shared/rules/id-number.ts'
import { isKeepable } from '#shared/rules/moment-range.ts'
import { nicknameProblem, tidyNickname } from '#shared/rules/nickname.ts'
import { e164 } from '#shared/rules/phone.ts'
import type { PersonFields, PersonInput } from './save-users.types.ts'

const LONGEST_ACCOUNT = 64
const LONGEST_NAME = 100
const LONGEST_MAILBOX = 254
const LONGEST_ID_NUMBER = 40
/** White space, nothing invisible, nothing that would have to be escaped in an address. */
const NO_ACCOUNT = /[\s\p{C}/\\?#]/u
const NO_NAME = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u
const MAILBOX = /^[^\s\p{C}@<>"]+@[^\s\p{C}@<>"]+$/u

/** A value as it is kept, or what is wrong with it. */
type Checked<T> = { value: T } | { problem: PersonProblem }

const tidy = (text: string): string => text.normalize('NFC').trim()

/** What somebody's account may be; it is kept as written. */
export function checkedAccount(text: string): Checked<string> {
  const account = tidy(text)
  if (account === '') return { problem: 'missing' }
  if (account.length > LONGEST_ACCOUNT) return { problem: 'too-long' }
  return NO_ACCOUNT.test(account) ? { problem: 'characters' } : { value: account }
}

function checkedName(text: string): Checked<string> {
  const name = tidy(text)
  if (name === '') return { problem: 'missing' }
  if (name.length > LONGEST_NAME) return { problem: 'too-long' }
  return NO_NAME.test(name) ? { problem: 'characters' } : { value: name }
}

/** Of a text that may be absent: null and what is empty are the same. */
const optional =
  (check: (text: string) => Checked<string>) =>
  (text: string | null): Checked<string | null> => {
    const tidied = text === null ? '' : tidy(text)
    return tidied === '' ? { value: null } : check(tidied)
  }

const phone = optional((text) => {
  const value = e164(text)
  return value === null ? { problem: 'format' } : { value }
})

const mailbox = optional((value) => {
  if (value.length > LONGEST_MAILBOX) return { problem: 'too-long' }
  return MAILBOX.test(value) ? { value } : { problem: 'format' }
})

const alias = optional((value) => {
  if (brokenAliasRules(value).length > 0) return { problem: 'format' }
  return isReservedAlias(value) ? { problem: 'reserved' } : { value }
})

const idNumber = optional((text) => {
  const value = canonicalIdNumber(text)
  if (value.length > LONGEST_ID_NUMBER) return { problem: 'too-long' }
  return value === '' || NO_ACCOUNT.test(value) ? { problem: 'format' } : { value }
})

const nickname = optional((text) => {
  const value = tidyNickname(text)
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
  return isKeepable(at) ? { value: at.toISOString() } : { problem: 'format' }
})

type Texts = { [Field in keyof PersonFields]?: (value: never) => Checked<unknown> }

const checksFor = (today: Date) =>
  ({
    name: checkedName,
    nickname,
    birthday: birthday(today),
    idNumber,
    phone,
    mailbox,
    alias,
    validFrom: moment,
    validUntil: moment,
  }) satisfies Texts

export type CheckedPerson = { fields: PersonFields; problems: FieldProblem[] }

/** The given fields as they are kept, and what is wrong with them by their form alone. */
export function checkedFields(input: PersonInput, today: Date): CheckedPerson {
  const { account: _, id: __, version: ___, ...given } = input
  const fields: Record<string, unknown> = {}
  const problems: FieldProblem[] = []
  const checks: Record<string, ((value: never) => Checked<unknown>) | undefined> = checksFor(today)
  for (const [field, value] of Object.entries(given)) {
    if (value === undefined) continue
    const checked = checks[field]?.(value as never) ?? { value }
    if ('problem' in checked) problems.push({ field: field as FieldProblem['field'], problem: checked.problem })
    else fields[field] = checked.value
  }
  return { fields: fields as PersonFields, problems }
}
