const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const CHECK_DIGITS = '10X98765432'

/**
 * Is this, in canonical form, a resident identity card number (GB 11643), with a possible date and the correct check
 * digit?
 */
export function isResidentId(text: string): boolean {
  const [, year, month, day] = /^\d{6}(\d{4})(\d{2})(\d{2})\d{3}[\dX]$/.exec(text) ?? []
  if (!year || Number.isNaN(Date.parse(`${year}-${month}-${day}`))) return false
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(text[at]), 0)
  return CHECK_DIGITS[sum % 11] === text[17]
}
