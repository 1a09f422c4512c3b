import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** The country of numbers without a country code. */
const HOME_COUNTRY = 'CN'

/**
 * Domestic mobile numbers, which are the most common: no lookup needed. A number that begins 179 could be a carrier's
 * prefix.
 */
const HOME_MOBILE = /^(?:\+86)?(1(?:[3-689]\d|7[0-8])\d{8})$/
/** Those with an assigned prefix. */
const ASSIGNED_HOME_MOBILE = /^(?:\+86)?(1(?:[38]\d|4[57]|[59][0-35-9]|6[25-7]|7[0-35-8])\d{8})$/

const NUMBER_LIKE = /^[+\d][\d\s().-]{3,30}$/

/**
 * A phone number in E.164, `+8613800000001`, whatever its notation: spaces, dashes, brackets, full-width digits. For
 * lookups and comparisons: validates length and country code, not whether the number is assigned.
 * @returns null for an impossible number.
 */
export function toE164(phone: string): string | null {
  return parsePhone(phone, HOME_MOBILE, (number) => number.isPossible())
}

/**
 * As `toE164`, and valid by libphonenumber: in an assigned range. The one rule for every input of a number. It needs
 * the library's largest table (the small one accepts `1391111`), so pages leave it to the server.
 * @returns null for an invalid number.
 */
export function toValidPhone(phone: string): string | null {
  return parsePhone(phone, ASSIGNED_HOME_MOBILE, (number) => number.isValid())
}

function parsePhone(phone: string, known: RegExp, isRight: (number: PhoneNumber) => boolean): string | null {
  const text = phone.normalize('NFKC').trim()
  const mobile = known.exec(text)
  if (mobile) return `+86${mobile[1]}`
  if (!NUMBER_LIKE.test(text)) return null
  const number = parsePhoneNumberFromString(text, HOME_COUNTRY)
  return number && isRight(number) ? number.number : null
}
