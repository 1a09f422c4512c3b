import { useTranslation } from 'react-i18next'

/** Says that the bootstrap file sets this value. */
export function SetByFile() {
  const { t } = useTranslation()
  return (
    <p className="set-by-file muted">
      <span className="tag">{t('login-config.by-file')}</span> {t('login-config.by-file.text')}
    </p>
  )
}
