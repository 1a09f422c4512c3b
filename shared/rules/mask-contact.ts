/** Domestic numbers are shown without the country code. */
const HOME_PREFIX = /^\+86(?=1\d{10}$)/

/** The first three and the last four digits: `+8613800001234` is `138****1234`. @param phone E.164 */
export function maskPhone(phone: string): string {
  const [, plus = '', digits = ''] = /^(\+?)(.*)$/.exec(phone.replace(HOME_PREFIX, '')) ?? []
  // Both ends would reveal nearly all of a short number.
  if (digits.length < 9) return `****${digits.slice(-2)}`
  return `${plus}${digits.slice(0, 3)}****${digits.slice(-4)}`
}

/** The first character, a fixed number of stars, and the domain: `a***@example.edu`. */
export function maskMailbox(mailbox: string): string {
  const at = mailbox.lastIndexOf('@')
  const [first = ''] = mailbox.slice(0, Math.max(at, 0))
  return `${first}***${at < 0 ? '' : mailbox.slice(at)}`
}
