import { ConnectorFault } from './connector.types.ts'

/** What programs write instead of a missing id. */
const EMPTY_SUBJECT = /^(|0+|null|undefined|nan|none|nil)$/i
const MAX_SUBJECT_CHARACTERS = 255

/**
 * An id that identifies a person. Two people without an id must never be the same person.
 * @throws ConnectorFault for a missing one, for placeholders, and for numbers that JSON has already rounded.
 */
export function parseSubject(value: unknown): string {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (
    typeof text !== 'string' ||
    text.length > MAX_SUBJECT_CHARACTERS ||
    EMPTY_SUBJECT.test(text.trim()) ||
    /\p{Cc}/u.test(text)
  ) {
    throw new ConnectorFault('unusable', 'subject')
  }
  return text
}
