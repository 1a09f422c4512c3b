import { useTranslation } from 'react-i18next'

/** Why a setting can't be changed here, and where it can. */
export function SetByFile() {
  const { t } = useTranslation()
  return (
    <p className="set-by-file muted">
      <span className="tag">{t('login-config.by-file')}</span> {t('login-config.by-file.text')}
    </p>
  )
}
