import type { Language } from '#shared/contract/endpoint.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { baseOf } from './i18n.ts'

/**
 * For `Intl`, which takes the first that it knows: of a language that the browser has no months and days of, such as Uyghur, those of the
 * one that it falls back to.
 */
export const intlTags = (language: Language): string[] =>
  [language, baseOf(language)].map((one) => (one === 'en' ? 'en-GB' : languageTag(one)))

/** `2026年11月21日星期六`, `Saturday 21 November 2026`. */
export const formatDateWithWeekday = (time: Date, language: string): string =>
  new Intl.DateTimeFormat(intlTags(language), {
    dateStyle: 'full',
  }).format(time)

/** `2005年3月7日`, `7 Mar 2005`, for a date without a time: `2005-03-07`. */
export const formatDay = (day: string, language: string): string =>
  new Intl.DateTimeFormat(intlTags(language), {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`))

/** `2026年11月`, `November 2026`, for a month such as `2026-11`. */
export const formatMonth = (month: string, language: string): string =>
  new Intl.DateTimeFormat(intlTags(language), { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )

/** `周一`, `Mon`: 1 is Monday. */
export const weekdayName = (day: number, language: string): string =>
  // That January began on a Monday.
  new Intl.DateTimeFormat(intlTags(language), { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

/** `2026年5月1日 14:05`, `1 May 2026, 14:05`: in the person's own zone, 24 hours. */
export const formatDateTime = (time: Date, language: string): string =>
  new Intl.DateTimeFormat(intlTags(language), {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(time)

/** `5月1日 14:00`, `1 May, 14:00`, without the hour `1 May`: for chart labels, where the year is known. */
export const formatDayAndHour = (time: Date, language: string, hasHour: boolean): string =>
  new Intl.DateTimeFormat(intlTags(language), {
    month: 'short',
    day: 'numeric',
    ...(hasHour && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  }).format(time)

/** `2分钟 5秒`, `2 mins 5 secs`: the two largest units. */
export function formatDuration(ms: number, language: string): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  const units = [
    ['hour', Math.floor(seconds / 3600)],
    ['minute', Math.floor(seconds / 60) % 60],
    ['second', seconds % 60],
  ] as const
  return units
    .filter(([, value]) => value > 0)
    .slice(0, 2)
    .map(([unit, value]) => new Intl.NumberFormat(intlTags(language), { style: 'unit', unit }).format(value))
    .join(' ')
}

/** `2026年5月1日 GMT+8 14:05:09`: with seconds and zone, for comparing. */
export const formatExactTime = (time: Date, language: string): string =>
  new Intl.DateTimeFormat(intlTags(language), {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(time)

/** `今天 14:05`, `Yesterday 22:40`, `10月30日`, `30 Oct 2025`: for a narrow column; put the exact time into its title. */
export function formatShortTime(time: Date, now: Date, language: string): string {
  const tags = intlTags(language)
  const midnight = (day: Date) => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime()
  const days = Math.round((midnight(time) - midnight(now)) / DAY_MS)
  if (days !== 0 && days !== -1) {
    const isThisYear = time.getFullYear() === now.getFullYear()
    return new Intl.DateTimeFormat(tags, {
      ...(!isThisYear && { year: 'numeric' }),
      month: 'short',
      day: 'numeric',
    }).format(time)
  }
  const day = new Intl.RelativeTimeFormat(tags, { numeric: 'auto' }).format(days, 'day')
  const clock = new Intl.DateTimeFormat(tags, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(time)
  return `${day.charAt(0).toLocaleUpperCase(tags)}${day.slice(1)} ${clock}`
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** "3 minutes ago"; only ever next to the absolute time. */
export function formatTimeAgo(time: Date, now: number, language: string): string {
  const seconds = Math.round((time.getTime() - now) / 1000)
  const format = new Intl.RelativeTimeFormat(intlTags(language), { numeric: 'auto' })
  const [unit, size] = UNITS.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1]
  return unit === 'second' ? format.format(0, 'second') : format.format(Math.round(seconds / size), unit)
}
