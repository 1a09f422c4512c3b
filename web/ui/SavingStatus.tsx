import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Shorter waits need no message. */
const SLOW_MS = 1000

/** Announces that a save is in progress: a grey button is invisible to screen readers. */
export function SavingStatus({ isBusy }: { isBusy: boolean }) {
  const { t } = useTranslation()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isBusy) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isBusy])
  // A live region must exist before its content.
  return (
    <p className="muted saving-line" role="status">
      {isSlow && t('form.saving')}
    </p>
  )
}
