import { useTranslation } from 'react-i18next'
import { READING_ENTRY, toggleReading, useReading } from '../platform/reading.ts'
import { Icon } from '../ui/Icon.tsx'
import './reading-entry.css'

/** The way into accessible reading: the second stop of the keyboard on every page, whatever its place in the bar. */
export function ReadingEntry() {
  const { t } = useTranslation()
  const open = useReading()?.open ?? false
  return (
    <button
      type="button"
      id={READING_ENTRY}
      className="button button-quiet reading-entry"
      aria-expanded={open}
      aria-label={t('reading.title')}
      title={t('reading.title')}
      onClick={toggleReading}
    >
      <Icon name="reading" />
      <span className="wide-only">{t('reading.title')}</span>
    </button>
  )
}
