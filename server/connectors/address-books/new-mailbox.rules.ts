import { randomInt } from 'node:crypto'
import { ConnectorFault } from '../connector.types.ts'
import type { OpenAddressBook } from './address-book.types.ts'

const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ'
const DIGITS = '23456789'
const LENGTH = 24

/** The password of a new mailbox, with a letter and a digit, which providers require. It is kept nowhere: people open theirs from here. */
export function randomPassword(): string {
  const all = LETTERS + DIGITS
  const rest = Array.from({ length: LENGTH - 2 }, () => all[randomInt(all.length)])
  return [LETTERS[randomInt(LETTERS.length)], DIGITS[randomInt(DIGITS.length)], ...rest].join('')
}

/** Where mailboxes stand whose provider has no departments for us. */
export const ONE_PLACE = 1

const never = async () => {
  throw new ConnectorFault('unusable', 'not of a mail provider')
}

/** What a mail provider is never asked for. */
export const NOT_OF_MAILBOXES = {
  departments: async () => [],
  department: async () => null,
  people: async () => [],
  createDepartment: never,
  updateDepartment: never,
  deleteDepartment: never,
  deletePerson: never,
} as const satisfies Partial<OpenAddressBook>
