import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** Numbers written without a country belong here. */
const HOME_COUNTRY = 'CN'

/** Mobile numbers of the home country, which most are: nothing to find out. One that begins 179 could be a carrier's code with a number. */
const HOME_MOBILE = /^(?:\+86)?(1(?:[3-689]\d|7[0-8])\d{8})$/
/** Those of them whose beginning is in use. */
const ASSIGNED_HOME_MOBILE = /^(?:\+86)?(1(?:[38]\d|4[57]|[59][0-35-9]|6[25-7]|7[0-35-8])\d{8})$/

const NUMBER_LIKE = /^[+\d][\d\s().-]{3,30}$/

/**
 * A phone number in E.164, `+8613800000001`, however it was written: with spaces, dashes, brackets, full-width digits. For looking
 * up and comparing: length and country code are judged, not whether the number is in use.
 * @returns null for what can't be a number.
 */
export function toE164(phone: string): string | null {
  return parsePhone(phone, HOME_MOBILE, (number) => number.isPossible())
}

/**
 * As `e164`, and valid by libphonenumber: of a range that is in use. The one rule for every place that takes a number. It needs the
 * library's largest table (the small one takes `1391111` for a number), so pages leave it to the server.
 * @returns null for what is no phone number.
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
