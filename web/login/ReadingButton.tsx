import { READING_BUTTON_ID, toggleReading, useReadingChoices } from '../platform/reading-choices.ts'
import { useIsHydrated, useLight } from './light-page.tsx'

/** Opens accessible reading, as the second tab stop. It needs scripts, so it appears with them. */
export function ReadingButton() {
  const { t } = useLight()
  const live = useIsHydrated()
  const open = useReadingChoices()?.open ?? false
  if (!live) return null
  return (
    <button type="button" id={READING_BUTTON_ID} className="reading-entry" aria-expanded={open} onClick={toggleReading}>
      {t('light.reading')}
    </button>
  )
}
