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
      <InTwoLines text={words(time, i18n.language)} />
    </time>
  )
}

/** Broken before its last word or nowhere: in a narrow column `1 May 2026,` stays on one line. */
function InTwoLines({ text }: { text: string }) {
  const at = text.lastIndexOf(' ')
  if (at < 0) return text
  return (
    <>
      <span className="unbroken">{text.slice(0, at)}</span>
      {text.slice(at)}
    </>
  )
}
