import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Numbers written without a country belong here. */
const HOME_COUNTRY = 'CN'

/** A mobile number of the home country, which most are: nothing to find out. One that begins 179 could be a carrier's code with a number. */
const HOME_MOBILE = /^(?:\+86)?(1(?:[3-689]\d|7[0-8])\d{8})$/

/**
 * A phone number in E.164, `+8613800000001`, however it was written: with spaces, dashes, brackets, full-width digits.
 * @returns null for what can't be a number (length and country code are judged, not whether it is assigned).
 */
export function e164(phone: string): string | null {
  const text = phone.normalize('NFKC').trim()
  const mobile = HOME_MOBILE.exec(text)
  if (mobile) return `+86${mobile[1]}`
  if (!/^[+\d][\d\s().-]{3,30}$/.test(text)) return null
  const number = parsePhoneNumberFromString(text, HOME_COUNTRY)
  return number?.isPossible() ? number.number : null
}
