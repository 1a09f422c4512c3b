import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Numbers written without a country belong here. */
const HOME_COUNTRY = 'CN'

/**
 * A phone number in E.164, `+8613800000001`, however it was written: with spaces, dashes, brackets, full-width digits.
 * @returns null for what can't be a number (length and country code are judged, not whether it is assigned).
 */
export function e164(phone: string): string | null {
  const text = phone.normalize('NFKC').trim()
  if (!/^[+\d][\d\s().-]{3,30}$/.test(text)) return null
  const number = parsePhoneNumberFromString(text, HOME_COUNTRY)
  return number?.isPossible() ? number.number : null
}
