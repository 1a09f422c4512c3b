import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { removeSecret, rotateSecret } from '#shared/contract/application-manage.ts'
import { call } from '../../platform/api.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CreatedSecretDialog } from './CreatedSecretDialog.tsx'
import type { ApplicationDraft } from './use-application-draft.ts'

/** Whether there is a secret, and buttons to replace or remove it. */
export function SecretField({ draft }: { draft: ApplicationDraft }) {
  const { t } = useTranslation()
  const { id, version, hasSecret } = draft.loaded
  const [asked, setAsked] = useState<'rotate' | 'remove' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = async () => {
    const made = await call(rotateSecret, { query: { id }, body: { version } })
    setSecret(made.secret)
    draft.take({ ...draft.loaded, hasSecret: true, version: made.version })
  }
  const remove = async () => {
    draft.take(await call(removeSecret, { query: { id }, body: { version } }))
    setSecret(null)
  }
  return (
    <div className="secret-field">
      <p>{t(hasSecret ? 'client-secret.there' : 'client-secret.none')}</p>
      {secret && <CreatedSecretDialog secret={secret} />}
      <div className="form-actions">
        <button type="button" className="button" onClick={() => setAsked('rotate')}>
          {t('client-secret.rotate')}
        </button>
        {hasSecret && (
          <button type="button" className="button button-quiet" onClick={() => setAsked('remove')}>
            {t('client-secret.remove')}
          </button>
        )}
      </div>
      {asked && (
        <ConfirmDialog
          title={t(`client-secret.${asked}-title`)}
          verb={t(`client-secret.${asked}`)}
          onConfirm={asked === 'rotate' ? rotate : remove}
          onClose={() => setAsked(null)}
        >
          <p>{t(`client-secret.${asked}-text`)}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
