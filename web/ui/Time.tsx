import { useTranslation } from 'react-i18next'
import { formatDateTime, formatExactTime, formatShortTime, formatTimeAgo } from '../platform/format-time.ts'
import { serverNow } from '../platform/server-clock.ts'

type Props = {
  value: string
  /** As a relative time. */
  ago?: boolean
  /** Short, for narrow columns. */
  short?: boolean
}

/** A time in the person's zone; the exact time is in the title. */
export function Time({ value, ago = false, short = false }: Props) {
  const { i18n } = useTranslation()
  const time = new Date(value)
  const words = (moment: Date, language: string) => {
    if (ago) return formatTimeAgo(moment, serverNow(), language)
    return short ? formatShortTime(moment, new Date(serverNow()), language) : formatDateTime(moment, language)
  }
  return (
    <time className="tabular" dateTime={value} title={formatExactTime(time, i18n.language)}>
      {words(time, i18n.language)}
    </time>
  )
}
