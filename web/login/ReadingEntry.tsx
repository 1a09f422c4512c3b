import { READING_ENTRY, toggleReading, useReading } from '../platform/reading.ts'
import { useLight, useLive } from './light.tsx'

/** The way into accessible reading, the second stop of the keyboard. It needs script, so it comes with it. */
export function ReadingEntry() {
  const { t } = useLight()
  const live = useLive()
  const open = useReading()?.open ?? false
  if (!live) return null
  return (
    <button type="button" id={READING_ENTRY} className="reading-entry" aria-expanded={open} onClick={toggleReading}>
      {t('light.reading')}
    </button>
  )
}
