import { readFileSync } from 'node:fs'

let list: Set<string> | null = null

const isListed = (text: string): boolean => {
  list ??= new Set(readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8').split('\n'))
  return list.has(text)
}

/** What people swap for a letter and believe to be clever. */
const SUBSTITUTIONS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

/** More around a common word than this makes a password of its own. */
const MAX_AFFIX_LENGTH = 5
const MAX_SIGNS = 2
/** No entry is longer, whatever stands around it: beyond this there is nothing to look for. */
const MAX_LISTED_LENGTH = 40

/**
 * Is it on the bundled list of common passwords, as it stands, undisguised (`P@ssw0rd`), without its signs (`Abc@1234`), or with
 * a few digits and signs before and behind (`Dragon2026!`)?
 */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  if (text.length > MAX_LISTED_LENGTH) return false
  return candidateForms(text).some((form) => isListed(form) || isListed(undoSubstitutions(form)))
}

function candidateForms(text: string): string[] {
  const signless = text.replace(/[^\p{L}\p{N}]/gu, '')
  const word = /^[^\p{L}]*(.*?)[^\p{L}]*$/su.exec(text)?.[1] ?? ''
  const isOrnamented = word.length >= 4 && text.length - word.length <= MAX_AFFIX_LENGTH
  return [text, ...(text.length - signless.length <= MAX_SIGNS ? [signless] : []), ...(isOrnamented ? [word] : [])]
}

const undoSubstitutions = (text: string): string => text.replace(/[@431!0$57]/g, (sign) => SUBSTITUTIONS[sign] ?? sign)
