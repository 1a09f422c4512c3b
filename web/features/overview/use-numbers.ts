import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { useCount } from '../../platform/format-number.ts'
import { intlTags } from '../../platform/format-time.ts'

/** Numbers, sizes and dates in the person's language. */
export function useNumbers() {
  const { i18n } = useTranslation()
  const tag = languageTag(i18n.language as Language)
  const tags = intlTags(i18n.language as Language)
  const part = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const day = new Intl.DateTimeFormat(tags, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  return {
    count: useCount(),
    share: (value: number, total: number) => part.format(total > 0 ? value / total : 0),
    bytes: (value: number) => formatBytes(tag, value),
    /** For a date such as `2026-11-21`, independent of the browser's zone. */
    day: (value: string) => day.format(new Date(`${value}T00:00:00Z`)),
    /** `14:00`, in the institution's zone. */
    hour: (value: string, timeZone: string) =>
      new Intl.DateTimeFormat(tags, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(
        new Date(value),
      ),
  }
}

const UNITS = ['megabyte', 'gigabyte', 'terabyte'] as const

function formatBytes(tag: string, bytes: number): string {
  const step = bytes < 1e9 ? 0 : bytes < 1e12 ? 1 : 2
  const unit = UNITS[step] ?? 'megabyte'
  const format = new Intl.NumberFormat(tag, { style: 'unit', unit, maximumFractionDigits: step === 0 ? 0 : 1 })
  return format.format(bytes / 10 ** (6 + 3 * step))
}
