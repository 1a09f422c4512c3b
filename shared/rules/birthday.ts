/** Nobody who logs in is younger or older. */
const YOUNGEST = 3
const OLDEST = 120

/** The years that a birthday may have, newest first. */
export function birthYears(today: Date): number[] {
  const newest = today.getUTCFullYear() - YOUNGEST
  return Array.from({ length: OLDEST - YOUNGEST + 1 }, (_, index) => newest - index)
}

export const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Whether `text` (YYYY-MM-DD) is a day that exists, in a year that is plausible. */
export function isBirthday(text: string, today: Date): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number)
  if (!year || !month || !day || month > 12 || day > daysIn(year, month)) return false
  const age = today.getUTCFullYear() - year
  return age >= YOUNGEST && age <= OLDEST
}
