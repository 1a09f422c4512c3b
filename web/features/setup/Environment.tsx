import { useTranslation } from 'react-i18next'

/** Problems of the environment in plain words, each with a fix. */
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
