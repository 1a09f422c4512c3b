import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault, type VendorProps } from './VendorCheckPanel.tsx'
import { missingError, missingSettings, startTestLogin } from './vendor-draft.ts'

const WINDOW = 'popup,width=560,height=760'

/** A test login with the values in the form, in a new window; logs nobody in and links nobody. */
export function TestLoginPanel({ vendor, draft, onError }: VendorProps) {
  const { t } = useTranslation()
  const [refused, setRefused] = useState<'incomplete' | 'blocked' | null>(null)
  const missing = missingSettings(vendor, draft)
  // What was missing is there now: emptied again, it is missing for the next attempt.
  if (refused === 'incomplete' && missing.length === 0) setRefused(null)
  const start = useMutation({
    onError: (error: Error) => onError(error),
    async mutationFn(popup: Window) {
      try {
        const { redirectUrl } = await startTestLogin(vendor, draft)
        popup.location.href = redirectUrl
      } catch (error) {
        popup.close()
        throw error
      }
    },
  })
  const open = () => {
    if (missing.length > 0) {
      setRefused('incomplete')
      start.reset()
      return onError(missingError(missing, t('form.required')))
    }
    onError(undefined)
    // Opened by the click itself: browsers block windows opened later.
    const popup = window.open('', 'vendor-test-login', WINDOW)
    setRefused(popup ? null : 'blocked')
    if (popup) start.mutate(popup)
  }
  return (
    <section className="vendor-fields">
      <h2>{t('vendor.test-login')}</h2>
      <p className="muted">{t('vendor.test-login.text')}</p>
      <div>
        <button type="button" className="button" aria-disabled={start.isPending} onClick={open}>
          {t('vendor.test-login.start')}
        </button>
      </div>
      <div role="status">
        {refused === 'incomplete' && <p className="banner banner-danger">{t('vendor.check.incomplete')}</p>}
        {refused === 'blocked' && <p className="banner banner-danger">{t('vendor.test-login.blocked')}</p>}
        {start.isError && <Fault error={start.error} />}
      </div>
    </section>
  )
}
