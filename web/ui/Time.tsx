import { useTranslation } from 'react-i18next'
import { dateAndTime, exactTime, timeAgo } from '../platform/format-time.ts'
import { serverNow } from '../platform/server-clock.ts'

/** A moment in the person's zone; `ago` puts the distance in front of it in words, the exact time stays in the title. */
export function Time({ value, ago = false }: { value: string; ago?: boolean }) {
  const { i18n } = useTranslation()
  const time = new Date(value)
  return (
    <time className="tabular" dateTime={value} title={exactTime(time, i18n.language)}>
      {ago ? timeAgo(time, serverNow(), i18n.language) : dateAndTime(time, i18n.language)}
    </time>
  )
}
