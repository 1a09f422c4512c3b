import type { SecretBox } from '../../platform/crypto.ts'
import { randomToken } from '../../platform/crypto.ts'

export const RECOVERY_CODE_COUNT = 10

/** Without easily confused characters, such as 0 and o. */
const UNAMBIGUOUS = /[abcdefghjkmnpqrstuvwxyz23456789]/g
const HALF_LENGTH = 5

/** Ten codes of some fifty random bits, written as `abcde-fgh23`. */
export const generateRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODE_COUNT }, () => `${randomLetters(HALF_LENGTH)}-${randomLetters(HALF_LENGTH)}`)

function randomLetters(count: number): string {
  let text = ''
  while (text.length < count) text += (randomToken(count * 2).match(UNAMBIGUOUS) ?? []).join('')
  return text.slice(0, count)
}

/** Accepts capitals, full width, with or without the hyphen. */
const canonicalCode = (typed: string): string => typed.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '')

export const hashRecoveryCode = (secrets: SecretBox, userId: string, typed: string): Buffer =>
  secrets.mac(`recovery-code\n${userId}\n${canonicalCode(typed)}`)
