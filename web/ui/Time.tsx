import { useTranslation } from 'react-i18next'
import { dateAndTime, timeAgo } from '../platform/format-time.ts'
import { serverNow } from '../platform/server-clock.ts'

/** A moment in the person's zone; `ago` puts the distance in front of it in words, the absolute time stays. */
export function Time({ value, ago = false }: { value: string; ago?: boolean }) {
  const { i18n } = useTranslation()
  const time = new Date(value)
  const absolute = dateAndTime(time, i18n.language)
  return (
    <time className="tabular" dateTime={value} title={ago ? absolute : undefined}>
      {ago ? timeAgo(time, serverNow(), i18n.language) : absolute}
    </time>
  )
}
