/** 1 digits only (or nothing better); 2 letters and digits; 3 special characters too; 4 upper and lower case too. */
export type PasswordLevel = 1 | 2 | 3 | 4

/** Data that a new password may not contain. */
export const PASSWORD_CONTEXT = ['account', 'name', 'phone', 'birthday', 'school'] as const

/** The rules of a new password for page and server: keys of the sign-in policy. */
export type PasswordRules = {
  passwordMinLength: number
  passwordMaxLength: number
  passwordLevel: number
  /** Absent: all of it. */
  passwordContext?: readonly (typeof PASSWORD_CONTEXT)[number][]
}

/** Words that a password must not contain, as on file, absent where there are none. */
export type PersonalWords = {
  account?: string | null
  names?: readonly (string | null)[]
  phone?: string | null
  /** YYYY-MM-DD */
  birthday?: string | null
  /** The institution, the product. */
  surroundings?: readonly string[]
}

/** The rules that a page can check while typing; the server adds those that need its lists. */
export const CLIENT_SIDE_RULES = [
  'too-short',
  'too-long',
  'no-digit',
  'no-letter',
  'no-special',
  'no-upper',
  'no-lower',
  'contains-account',
  'contains-name',
  'contains-phone',
  'contains-birthday',
  'contains-institution',
] as const
export const PASSWORD_RULES = [...CLIENT_SIDE_RULES, 'blocked', 'common', 'former'] as const
export type PasswordRule = (typeof PASSWORD_RULES)[number]

const canonical = (password: string) => password.normalize('NFKC')

const CLASSES = { digit: /\p{Nd}/u, letter: /\p{L}/u, special: /[^\p{L}\p{Nd}]/u, upper: /\p{Lu}/u, lower: /\p{Ll}/u }

/** The first level that requires each kind of character. */
const REQUIRED_FROM_LEVEL = { digit: 2, letter: 2, special: 3, upper: 4, lower: 4 } as const

type Kind = keyof typeof CLASSES
const KINDS = Object.keys(CLASSES) as Kind[]

/** The kinds of character that this level requires; level 1 leaves the choice. */
export const requiredKinds = (level: number): Kind[] => KINDS.filter((kind) => REQUIRED_FROM_LEVEL[kind] <= level)

/** The highest level that a password reaches, at least 1. */
export function levelOfPassword(password: string): PasswordLevel {
  const text = canonical(password)
  const has = (level: number) => requiredKinds(level).every((kind) => CLASSES[kind].test(text))
  return has(4) ? 4 : has(3) ? 3 : has(2) ? 2 : 1
}

export type PasswordStrength = 'weak' | 'medium' | 'strong'

/** Level 1 is weak, 2 and 3 are medium, 4 is strong; a short password is always weak. */
export function strengthOfPassword(password: string, minLength: number): PasswordStrength {
  const level = levelOfPassword(password)
  if (level === 1 || lengthOfPassword(password) < minLength) return 'weak'
  return level === 4 ? 'strong' : 'medium'
}

/** Code points after NFKC: an emoji is one, however it was typed. */
export const lengthOfPassword = (password: string): number => Array.from(canonical(password)).length

/** The rules that a new password breaks, in display order; empty: none that can be checked here. */
export function brokenRules(password: string, rules: PasswordRules, words: PersonalWords = {}): PasswordRule[] {
  const text = canonical(password)
  const length = lengthOfPassword(text)
  const missing = requiredKinds(rules.passwordLevel).filter((kind) => !CLASSES[kind].test(text))
  return [
    ...(length < rules.passwordMinLength ? (['too-short'] as const) : []),
    ...(length > rules.passwordMaxLength ? (['too-long'] as const) : []),
    ...missing.map((kind) => `no-${kind}` as const),
    ...containedWords(text, wordsIn(rules.passwordContext ?? PASSWORD_CONTEXT, words)),
  ]
}

/** Shorter words would forbid more than they protect. */
const MIN_ACCOUNT_LENGTH = 3
const MIN_LATIN_NAME_LENGTH = 4
const MIN_HAN_NAME_LENGTH = 2

const squeeze = (text: string) =>
  canonical(text)
    .toLowerCase()
    .replace(/[\s'’.·-]/g, '')

/** A shorter one would forbid almost everything; one of punctuation only, everything. */
const MIN_BLOCK_WORD_LENGTH = 2
export const isBlockWord = (word: string): boolean => Array.from(squeeze(word)).length >= MIN_BLOCK_WORD_LENGTH

/** Does a password contain one of these words, whatever the case and punctuation? */
export function containsBlockedWord(password: string, words: readonly string[]): boolean {
  const plain = squeeze(password)
  return words.some((word) => isBlockWord(word) && plain.includes(squeeze(word)))
}

/** The person's words that a password may not contain. */
function wordsIn(context: readonly (typeof PASSWORD_CONTEXT)[number][], words: PersonalWords): PersonalWords {
  const { account, names = [], phone, birthday, surroundings = [] } = words
  return {
    ...(context.includes('account') && { account }),
    ...(context.includes('name') && { names: names.flatMap(namePieces) }),
    ...(context.includes('phone') && { phone }),
    ...(context.includes('birthday') && { birthday }),
    ...(context.includes('school') && { surroundings }),
  }
}

/**
 * A name as a whole, and each word of it: "Xiaoming" of "Wang Xiaoming". Short ones are ignored, see `minNameLength`.
 */
const namePieces = (name: string | null): (string | null)[] =>
  name === null ? [] : [name, ...canonical(name).split(/[\s,.·’'-]+/)]

function containedWords(text: string, words: PersonalWords): PasswordRule[] {
  const plain = squeeze(text)
  const holds = (word: string | null | undefined, shortest: number) => {
    const wanted = squeeze(word ?? '')
    return Array.from(wanted).length >= shortest && plain.includes(wanted)
  }
  const found: PasswordRule[] = []
  if (holds(words.account, MIN_ACCOUNT_LENGTH)) found.push('contains-account')
  if ((words.names ?? []).some((name) => holds(name, minNameLength(name)))) found.push('contains-name')
  if (holds(nationalNumber(words.phone), 6)) found.push('contains-phone')
  if (birthdaySpellings(words.birthday).some((day) => holds(day, 6))) found.push('contains-birthday')
  if ((words.surroundings ?? []).some((name) => holds(name, minNameLength(name)))) found.push('contains-institution')
  return found
}

const minNameLength = (name: string | null) =>
  /\p{Script=Han}/u.test(name ?? '') ? MIN_HAN_NAME_LENGTH : MIN_LATIN_NAME_LENGTH

/** Without the country code: the part that people know by heart. */
const nationalNumber = (phone: string | null | undefined) => phone?.replace(/^\+86/, '').replace(/\D/g, '')

function birthdaySpellings(birthday: string | null | undefined): string[] {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(birthday ?? '') ?? []
  if (!year || !month || !day) return []
  const short = year.slice(2)
  return [year + month + day, short + month + day, day + month + year, month + day + year]
}

/** The rules of a new password as a checklist, each with the suffix of its message key. */
export function passwordChecks(
  password: string,
  rules: PasswordRules,
  ownWords: readonly string[],
): { name: 'length' | 'letters' | 'digits' | 'special' | 'cases' | 'own'; met: boolean }[] {
  const broken = new Set(brokenRules(password, rules, { names: ownWords }))
  const met = (...names: PasswordRule[]) => password !== '' && !names.some((name) => broken.has(name))
  const { passwordLevel: level } = rules
  return [
    { name: 'length', met: met('too-short', 'too-long') },
    ...(level === 2 || level === 3 ? [{ name: 'letters' as const, met: met('no-letter') }] : []),
    ...(level === 4 ? [{ name: 'cases' as const, met: met('no-upper', 'no-lower') }] : []),
    ...(level >= 2 ? [{ name: 'digits' as const, met: met('no-digit') }] : []),
    ...(level >= 3 ? [{ name: 'special' as const, met: met('no-special') }] : []),
    { name: 'own', met: met('contains-name') },
  ]
}
