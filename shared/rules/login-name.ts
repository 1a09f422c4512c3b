import { foldName } from './fold-name.ts'
import { toE164 } from './phone.ts'

/** A mobile number as it is typed at home, or any number with its country. Student numbers must not look like one. */
const TYPED_AS_PHONE = /^(1[3-9]\d{9}|\+\d{6,15})$/

/**
 * The canonical form of what a person types as user name, in which names are stored, compared, counted and locked:
 * folded; a phone number as E.164.
 * Account, alias, phone and mailbox share this one space of names. Idempotent.
 */
export function canonicalLoginName(typed: string): string {
  const name = foldName(typed)
  if (!/^[+\d]/.test(name)) return name
  const digits = name.replace(/[\s().-]/g, '')
  return TYPED_AS_PHONE.test(digits) ? (toE164(digits) ?? name) : name
}
