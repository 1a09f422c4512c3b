import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Below it nobody wonders whether anything happens. */
const SLOW_MS = 1000

/** Says that a save is still under way: a grey button alone tells nobody who can't see it. */
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
  // It stands there before it says anything: what comes together with its words is not announced.
  return (
    <p className="muted saving-line" role="status">
      {isSlow && t('form.saving')}
    </p>
  )
}
