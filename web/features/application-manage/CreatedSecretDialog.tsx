import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { UnsavedGuard } from '../../ui/UnsavedGuard.tsx'

/**
 * A secret shown only once; leaving needs a confirmation. It is useless without the client id, so that is shown too
 * where it isn't visible otherwise.
 */
export function CreatedSecretDialog({ secret, clientId }: { secret: string; clientId?: string }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  return (
    <div className="secret-once" role="status">
      {clientId && (
        <>
          <strong>{t('application-field.clientId')}</strong>
          <p className="secret-value">
            <code>{clientId}</code>
            <CopyButton text={clientId} label={t('application-field.clientId')} />
          </p>
        </>
      )}
      <strong>{t('client-secret.title')}</strong>
      <p className="secret-value">
        <code onCopy={() => setCopied(true)}>{secret}</code>
        <CopyButton text={secret} label={t('client-secret.title')} onCopied={() => setCopied(true)} />
      </p>
      <p>{t('client-secret.shown-once')}</p>
      <UnsavedGuard when={!isCopied} what="uncopied" />
    </div>
  )
}
