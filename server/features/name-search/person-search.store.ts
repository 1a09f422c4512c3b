import { canonicalLoginName } from '#shared/rules/login-name.ts'
import type { Db, SqlFragment } from '../../platform/db.ts'
import { escapeLike } from '../../platform/list.ts'
import { MAX_SEARCH_KEY_LENGTH } from './search-keys.rules.ts'

type Condition = SqlFragment

/** '1' account, '2' name, '3' phone, '4' mailbox. */
export type SearchBy = '1' | '2' | '3' | '4'

/** One way to match a person `u`: a condition on one index, and the order of that index if it has one. */
export type SearchPredicate = {
  kind: 'number' | 'name' | 'phone' | 'mailbox' | 'alias'
  condition: Condition
  order: Condition | null
  /** The same condition for a row already read, if evaluating the index's expression per row would be slow. */
  check?: Condition
}

const prefixPattern = (text: string): string => `${escapeLike(text)}%`

const numberPredicate = (db: Db, text: string): SearchPredicate => ({
  kind: 'number',
  condition: db`lower(u.account) like ${prefixPattern(text.toLowerCase())}`,
  order: db`lower(u.account) using ~<~`,
})

const namePredicate = (condition: Condition, overrides: Partial<SearchPredicate> = {}): SearchPredicate => ({
  kind: 'name',
  condition,
  order: null,
  ...overrides,
})

/** Part of a name in its own script, a prefix of its pinyin or initials, or Latin words in it. */
function namePredicates(db: Db, text: string): SearchPredicate[] {
  const compact = text.toLowerCase().replace(/\s+/g, '')
  if (/[^\x01-\x7f]/.test(compact)) {
    const check = db`strpos(replace(lower(u.name), ' ', ''), ${compact}) > 0`
    return [namePredicate(db`(name_grams(u.name) @> name_grams(${compact}) and ${check})`, { check })]
  }
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  if (words.length === 0) return []
  const beginning = prefixPattern(words.join('').slice(0, MAX_SEARCH_KEY_LENGTH))
  const has = (word: string) =>
    db`(strpos(lower(u.name), ${word}) > 0 and lower(u.name) ~ ${`(^|[^a-z0-9])${word}($|[^a-z0-9])`})`
  return [
    namePredicate(db`u.name_pinyin like ${beginning}`, { order: db`u.name_pinyin using ~<~` }),
    namePredicate(db`u.name_initials like ${beginning}`, { order: db`u.name_initials using ~<~` }),
    namePredicate(db`name_grams(u.name) @> ${words}::text[]`, {
      check: words.map(has).reduce((all, one) => db`${all} and ${one}`),
    }),
  ]
}

const MIN_PHONE_DIGITS = 3

/** A prefix of a number, with or without its country code, or its end. */
function phonePredicates(db: Db, text: string): SearchPredicate[] {
  const digits = text.replace(/\D/g, '')
  if (digits.length < MIN_PHONE_DIGITS) return []
  const reversed = Array.from(digits).reverse().join('')
  return [prefixPattern(`+${digits}`), prefixPattern(`+86${digits}`)]
    .map(
      (beginning): SearchPredicate => ({
        kind: 'phone',
        condition: db`(u.phone is not null and u.phone like ${beginning})`,
        order: db`u.phone using ~<~`,
      }),
    )
    .concat({
      kind: 'phone',
      condition: db`(u.phone is not null and reverse(u.phone) like ${prefixPattern(reversed)})`,
      order: db`reverse(u.phone) using ~<~`,
    })
}

const mailboxPredicate = (db: Db, text: string): SearchPredicate => ({
  kind: 'mailbox',
  condition: db`(u.mailbox is not null and lower(u.mailbox) like ${prefixPattern(text.toLowerCase())})`,
  order: db`lower(u.mailbox) using ~<~`,
})

/** An alias must match completely: its person types it to log in. */
const aliasPredicate = (db: Db, text: string): SearchPredicate => ({
  kind: 'alias',
  condition: db`u.id = (
    select n.user_id from login_names n where n.canonical = ${canonicalLoginName(text)} and n.kind = 'alias')`,
  order: null,
})

const DIGITS_PATTERN = /^\d+$/
const PHONE_PATTERN = /^\+?[\d\s().-]{4,}$/
const MAILBOX_PATTERN = /^[\w.+-]{3,}(@[\w.-]*)?$/

/** The predicates by which the input may match a person `u`, each on its own index; none if nobody can match. */
export function searchPredicates(db: Db, typed: string, by: SearchBy | undefined): SearchPredicate[] {
  const text = typed.normalize('NFKC').trim()
  if (by === '1') return [numberPredicate(db, text)]
  if (by === '2') return namePredicates(db, text)
  if (by === '3') return phonePredicates(db, text)
  if (by === '4') return [mailboxPredicate(db, text)]
  const isNumber = DIGITS_PATTERN.test(text)
  return [
    numberPredicate(db, text),
    ...(isNumber ? [] : namePredicates(db, text)),
    ...(PHONE_PATTERN.test(text) ? phonePredicates(db, text) : []),
    ...(!isNumber && (MAILBOX_PATTERN.test(text) || text.includes('@')) ? [mailboxPredicate(db, text)] : []),
    ...(isNumber || !text ? [] : [aliasPredicate(db, text)]),
  ]
}

/** An exact account, phone number, mailbox or alias, each on the same index: exact matches come first. */
export function exactPredicates(db: Db, typed: string, by: SearchBy | undefined): SearchPredicate[] {
  const text = typed.normalize('NFKC').trim().toLowerCase()
  const digits = text.replace(/\D/g, '')
  const exact: Record<Exclude<SearchBy, '2'>, SearchPredicate | null> = {
    1: { kind: 'number', condition: db`lower(u.account) = ${text}`, order: null },
    3:
      digits.length < MIN_PHONE_DIGITS || !PHONE_PATTERN.test(text)
        ? null
        : {
            kind: 'phone',
            condition: db`(u.phone is not null and u.phone in (${`+${digits}`}, ${`+86${digits}`}))`,
            order: null,
          },
    4: text.includes('@')
      ? { kind: 'mailbox', condition: db`(u.mailbox is not null and lower(u.mailbox) = ${text})`, order: null }
      : null,
  }
  if (by === '2') return []
  return (
    by ? [exact[by]] : [...Object.values(exact), DIGITS_PATTERN.test(text) || !text ? null : aliasPredicate(db, text)]
  ).filter((one) => one !== null)
}

/** SQL condition: does the person `u` match one of these predicates? False without any. */
export function matchesAny(db: Db, predicates: readonly SearchPredicate[]): Condition {
  const [first, ...others] = predicates
  if (!first) return db`false`
  return db`(${others.reduce((all, { condition }) => db`${all} or ${condition}`, first.condition)})`
}

/** SQL condition: the same for a row `u` already read. */
export const rowMatchesAny = (db: Db, predicates: readonly SearchPredicate[]): Condition =>
  matchesAny(
    db,
    predicates.map((predicate) => ({ ...predicate, condition: predicate.check ?? predicate.condition })),
  )

/**
 * The ids of people who are meant in one of these ways and of whom `condition` is true, `limit` at most: each way along its own index. The
 * indexes hold nobody who is deleted: these are few, and each of them is asked.
 */
export async function listMeantIds(
  db: Db,
  predicates: readonly SearchPredicate[],
  { condition = db`true`, limit }: { condition?: Condition; limit: number },
): Promise<string[]> {
  const conditions = predicates.map((one) => db`u.deleted_at is null and ${one.condition}`)
  const [first, ...others] = [...conditions, db`u.deleted_at is not null and ${rowMatchesAny(db, predicates)}`].map(
    (one) => db`(select u.id from users u where ${condition} and ${one} limit ${limit})`,
  )
  const all = others.reduce((found, one) => db`${found} union ${one}`, first ?? db``)
  const rows = await db<{ id: string }[]>`select id from (${all}) u limit ${limit}`
  return rows.map(({ id }) => id)
}
