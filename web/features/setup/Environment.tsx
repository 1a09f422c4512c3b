import { useTranslation } from 'react-i18next'

/** What is wrong with the surroundings, in plain words with the fix, before anyone relies on them. */
export function Environment({ publicUrl, https }: { publicUrl: string; https: boolean }) {
  const { t } = useTranslation()
  const isElsewhere = location.origin !== publicUrl
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(publicUrl)
  return (
    <div className="setup-environment">
      <p className="muted">{t('setup.address', { address: publicUrl })}</p>
      {isElsewhere && <p className="banner banner-danger">{t('setup.wrong-address', { here: location.origin })}</p>}
      {!https && !isLocal && <p className="banner banner-danger">{t('setup.not-https')}</p>}
    </div>
  )
}
