import { useTranslation } from 'react-i18next'

/** Says that the bootstrap file sets this value. @param id for the fields it describes */
export function SetByFile({ id }: { id?: string }) {
  const { t } = useTranslation()
  return (
    <p className="set-by-file muted" id={id}>
      <span className="tag">{t('login-config.by-file')}</span> {t('login-config.by-file.text')}
    </p>
  )
}
