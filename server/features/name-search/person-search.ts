import type { PendingQuery, Row } from 'postgres'
import type { Db } from '../../platform/db.ts'
import { likeLiteral } from '../../platform/list.ts'
import { LONGEST_FORM } from './name-search.ts'

type Condition = PendingQuery<Row[]>

/** '1' number, '2' name, '3' phone, '4' mailbox. */
export type SearchBy = '1' | '2' | '3' | '4'

/** One way in which a person `u` may be meant: a condition on one index, and the order of that index where it has one. */
export type Way = {
  kind: 'number' | 'name' | 'phone' | 'mailbox'
  condition: Condition
  order: Condition | null
  /** Says the same of one person who is at hand, where asking the index's own expression for each would take long. */
  check?: Condition
}

const begins = (text: string): string => `${likeLiteral(text)}%`

const byNumber = (db: Db, text: string): Way => ({
  kind: 'number',
  condition: db`lower(u.account) like ${begins(text.toLowerCase())}`,
  order: db`lower(u.account) using ~<~`,
})

const name = (condition: Condition, more: Partial<Way> = {}): Way => ({ kind: 'name', condition, order: null, ...more })

/** A part of a name in its own script, or the beginning of its pinyin or initials, or Latin words that it has. */
function byName(db: Db, text: string): Way[] {
  const close = text.toLowerCase().replace(/\s+/g, '')
  if (/[^\x01-\x7f]/.test(close)) {
    const check = db`strpos(replace(lower(u.name), ' ', ''), ${close}) > 0`
    return [name(db`(name_grams(u.name) @> name_grams(${close}) and ${check})`, { check })]
  }
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  if (words.length === 0) return []
  const beginning = begins(words.join('').slice(0, LONGEST_FORM))
  const has = (word: string) =>
    db`(strpos(lower(u.name), ${word}) > 0 and lower(u.name) ~ ${`(^|[^a-z0-9])${word}($|[^a-z0-9])`})`
  return [
    name(db`u.name_pinyin like ${beginning}`, { order: db`u.name_pinyin using ~<~` }),
    name(db`u.name_initials like ${beginning}`, { order: db`u.name_initials using ~<~` }),
    name(db`name_grams(u.name) @> ${words}::text[]`, {
      check: words.map(has).reduce((all, one) => db`${all} and ${one}`),
    }),
  ]
}

const LEAST_DIGITS = 3

/** The beginning of a number, with or without its country, or its end. */
function byPhone(db: Db, text: string): Way[] {
  const digits = text.replace(/\D/g, '')
  if (digits.length < LEAST_DIGITS) return []
  const backwards = Array.from(digits).reverse().join('')
  return [begins(`+${digits}`), begins(`+86${digits}`)]
    .map(
      (beginning): Way => ({
        kind: 'phone',
        condition: db`(u.phone is not null and u.phone like ${beginning})`,
        order: db`u.phone using ~<~`,
      }),
    )
    .concat({
      kind: 'phone',
      condition: db`(u.phone is not null and reverse(u.phone) like ${begins(backwards)})`,
      order: db`reverse(u.phone) using ~<~`,
    })
}

const byMailbox = (db: Db, text: string): Way => ({
  kind: 'mailbox',
  condition: db`(u.mailbox is not null and lower(u.mailbox) like ${begins(text.toLowerCase())})`,
  order: db`lower(u.mailbox) using ~<~`,
})

const IS_DIGITS = /^\d+$/
const LOOKS_LIKE_PHONE = /^\+?[\d\s().-]{4,}$/
const LOOKS_LIKE_MAILBOX = /^[\w.+-]{3,}(@[\w.-]*)?$/

/** The ways in which a person `u` may be meant by what was typed, each on an index of its own; none when nobody can be. */
export function waysToMean(db: Db, typed: string, by: SearchBy | undefined): Way[] {
  const text = typed.normalize('NFKC').trim()
  if (by === '1') return [byNumber(db, text)]
  if (by === '2') return byName(db, text)
  if (by === '3') return byPhone(db, text)
  if (by === '4') return [byMailbox(db, text)]
  const isNumber = IS_DIGITS.test(text)
  return [
    byNumber(db, text),
    ...(isNumber ? [] : byName(db, text)),
    ...(LOOKS_LIKE_PHONE.test(text) ? byPhone(db, text) : []),
    ...(!isNumber && LOOKS_LIKE_MAILBOX.test(text) ? [byMailbox(db, text)] : []),
  ]
}

/** SQL condition: is the person `u` meant in one of these ways? Nobody is without any. */
export function byEither(db: Db, ways: readonly Way[]): Condition {
  const [first, ...others] = ways
  if (!first) return db`false`
  return db`(${others.reduce((all, { condition }) => db`${all} or ${condition}`, first.condition)})`
}

/** SQL condition: is the person `u`, who is at hand, meant in one of these ways? */
export const isMeant = (db: Db, ways: readonly Way[]): Condition =>
  byEither(
    db,
    ways.map((way) => ({ ...way, condition: way.check ?? way.condition })),
  )
