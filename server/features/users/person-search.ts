import type { PendingQuery, Row } from 'postgres'
import type { Db } from '../../platform/db.ts'
import { likeLiteral } from '../../platform/list.ts'

type Condition = PendingQuery<Row[]>

/** '1' number, '2' name, '3' phone, '4' mailbox. */
export type SearchBy = '1' | '2' | '3' | '4'

const begins = (text: string): string => `${likeLiteral(text)}%`

const byNumber = (db: Db, text: string): Condition => db`lower(u.account) like ${begins(text.toLowerCase())}`

/** A part of a name in its own script, or the beginning of its pinyin or initials, or one of its Latin words. */
function byName(db: Db, text: string): Condition {
  const close = text.toLowerCase().replace(/\s+/g, '')
  if (/[^\x01-\x7f]/.test(close)) {
    return db`(name_grams(u.name) @> name_grams(${close}) and strpos(replace(lower(u.name), ' ', ''), ${close}) > 0)`
  }
  const letters = close.replace(/[^a-z0-9]/g, '')
  if (letters === '') return db`false`
  const beginning = begins(letters)
  return db`(u.name_pinyin like ${beginning} or u.name_initials like ${beginning} or name_grams(u.name) @> array[${letters}])`
}

const LEAST_DIGITS = 3

/** The beginning of a number, with or without its country, or its end. */
function byPhone(db: Db, text: string): Condition {
  const digits = text.replace(/\D/g, '')
  if (digits.length < LEAST_DIGITS) return db`false`
  const backwards = Array.from(digits).reverse().join('')
  return db`(u.phone like ${begins(`+${digits}`)} or u.phone like ${begins(`+86${digits}`)}
    or (u.phone is not null and reverse(u.phone) like ${begins(backwards)}))`
}

const byMailbox = (db: Db, text: string): Condition =>
  db`(u.mailbox is not null and lower(u.mailbox) like ${begins(text.toLowerCase())})`

const LOOKS_LIKE_PHONE = /^\+?[\d\s().-]{4,}$/
const LOOKS_LIKE_MAILBOX = /^[\w.+-]{3,}(@[\w.-]*)?$/

/** SQL condition: is the person `u` meant by what was typed? Each way stands on an index. */
export function meant(db: Db, typed: string, by: SearchBy | undefined): Condition {
  const text = typed.normalize('NFKC').trim()
  if (text === '') return db`true`
  if (by === '1') return byNumber(db, text)
  if (by === '2') return byName(db, text)
  if (by === '3') return byPhone(db, text)
  if (by === '4') return byMailbox(db, text)
  return db`(${byNumber(db, text)} or ${byName(db, text)}
    ${LOOKS_LIKE_PHONE.test(text) ? db`or ${byPhone(db, text)}` : db``}
    ${LOOKS_LIKE_MAILBOX.test(text) ? db`or ${byMailbox(db, text)}` : db``})`
}
