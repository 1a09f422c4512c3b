import type { SecretBox } from '../../platform/crypto.ts'
import { randomToken } from '../../platform/crypto.ts'

export const RECOVERY_CODES = 10

/** Without what a person could mistake for something else, such as 0 and o. */
const UNMISTAKABLE = /[abcdefghjkmnpqrstuvwxyz23456789]/g
const HALF = 5

/** Ten codes of some fifty random bits, written as `abcde-fgh23`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => `${letters(HALF)}-${letters(HALF)}`)

function letters(count: number): string {
  let text = ''
  while (text.length < count) text += (randomToken(count * 2).match(UNMISTAKABLE) ?? []).join('')
  return text.slice(0, count)
}

/** However it was typed: capitals, full width, with or without the hyphen. */
const canonical = (typed: string): string => typed.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '')

export const hashOfCode = (secrets: SecretBox, userId: string, typed: string): Buffer =>
  secrets.mac(`recovery-code\n${userId}\n${canonical(typed)}`)
