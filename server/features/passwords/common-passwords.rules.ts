import { readFileSync } from 'node:fs'
import { projectFile } from '../../platform/project-files.ts'

let list: Set<string> | null = null

const isListed = (text: string): boolean => {
  list ??= new Set(readFileSync(projectFile('server/features/passwords/common-passwords.txt'), 'utf8').split('\n'))
  return list.has(text)
}

/** Common substitutions for letters. */
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

/** With more than this around a common word, a password counts as its own. */
const MAX_AFFIX_LENGTH = 5
const MAX_SIGNS = 2
/** No entry is longer, including what surrounds it: longer passwords need no lookup. */
const MAX_LISTED_LENGTH = 40

/**
 * Is it on the bundled list of common passwords: as is, with substitutions undone (`P@ssw0rd`), without punctuation (`Abc@1234`), or with a
 * few digits and punctuation around (`Dragon2026!`)?
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
