/** The plausible ages of users. */
const MIN_AGE = 3
const MAX_AGE = 120

/** The possible years of birth, newest first. */
export function birthYears(today: Date): number[] {
  const newest = today.getUTCFullYear() - MIN_AGE
  return Array.from({ length: MAX_AGE - MIN_AGE + 1 }, (_, index) => newest - index)
}

export const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Whether `text` (YYYY-MM-DD) is an existing date in a plausible year. */
export function isBirthday(text: string, today: Date): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number)
  if (!year || !month || !day || month > 12 || day > daysInMonth(year, month)) return false
  const age = today.getUTCFullYear() - year
  return age >= MIN_AGE && age <= MAX_AGE
}
