import { useTranslation } from 'react-i18next'
import { dateAndTime, exactTime, shortTime, timeAgo } from '../platform/format-time.ts'
import { serverNow } from '../platform/server-clock.ts'

type Props = {
  value: string
  /** As the distance from now. */
  ago?: boolean
  /** As short as a narrow column wants it. */
  short?: boolean
  /** Instead of the person's own: that of the figures which stand beside it. */
  timeZone?: string
}

/** A moment in the person's zone, in words; the exact time stays in the title. */
export function Time({ value, ago = false, short = false, timeZone }: Props) {
  const { i18n } = useTranslation()
  const time = new Date(value)
  const words = (moment: Date, language: string) => {
    if (ago) return timeAgo(moment, serverNow(), language)
    return short ? shortTime(moment, new Date(serverNow()), language) : dateAndTime(moment, language, timeZone)
  }
  return (
    <time className="tabular" dateTime={value} title={exactTime(time, i18n.language)}>
      {words(time, i18n.language)}
    </time>
  )
}
