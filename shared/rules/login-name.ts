import { foldName } from './fold-name.ts'
import { toE164 } from './phone.ts'

/** A domestic mobile number, or any number with its country code. Student numbers must not look like one. */
const TYPED_AS_PHONE = /^(1[3-9]\d{9}|\+\d{6,15})$/

/**
 * The canonical form of a typed user name, in which names are stored, compared, counted and locked: folded; a phone
 * number as E.164. Account, alias, phone and email address share this one name space. Idempotent.
 */
export function canonicalLoginName(typed: string): string {
  const name = foldName(typed)
  if (!/^[+\d]/.test(name)) return name
  const digits = name.replace(/[\s().-]/g, '')
  return TYPED_AS_PHONE.test(digits) ? (toE164(digits) ?? name) : name
}
