import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/CopyButton.tsx'

/** A secret that is shown this once. */
export function SecretOnce({ secret }: { secret: string }) {
  const { t } = useTranslation()
  return (
    <div className="secret-once" role="status">
      <strong>{t('client-secret.title')}</strong>
      <p className="secret-value">
        <code>{secret}</code>
        <CopyButton text={secret} label={t('client-secret.title')} />
      </p>
      <p>{t('client-secret.shown-once')}</p>
    </div>
  )
}
