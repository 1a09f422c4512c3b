import { useTranslation } from 'react-i18next'
import { READING_BUTTON_ID, toggleReading, useReadingChoices } from '../platform/reading-choices.ts'
import { Icon } from '../ui/Icon.tsx'
import './reading-button.css'

/** Opens accessible reading: the second tab stop on every page, wherever it is drawn. */
export function ReadingButton() {
  const { t } = useTranslation()
  const open = useReadingChoices()?.open ?? false
  return (
    <button
      type="button"
      id={READING_BUTTON_ID}
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
