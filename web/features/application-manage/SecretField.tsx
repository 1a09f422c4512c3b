import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApplicationDetails, removeSecret, rotateSecret } from '#shared/contract/application-manage.ts'
import { call } from '../../platform/api.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useSeenVersion } from '../../ui/use-seen-version.ts'
import { CreatedSecretDialog } from './CreatedSecretDialog.tsx'
import { type ApplicationDraft, refreshDetails } from './use-application-draft.ts'

/** Whether there is a secret, and buttons to replace or remove it. */
export function SecretField({ draft }: { draft: ApplicationDraft }) {
  const { t } = useTranslation()
  const { hasSecret } = draft.loaded
  const [asked, setAsked] = useState<'rotate' | 'remove' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
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
      {asked && <AskDialog asked={asked} draft={draft} onSecret={setSecret} onClose={() => setAsked(null)} />}
    </div>
  )
}

type AskProps = {
  asked: 'rotate' | 'remove'
  draft: ApplicationDraft
  onSecret: (secret: string | null) => void
  onClose: () => void
}

/** Confirms what ends the present secret. */
function AskDialog({ asked, draft: { loaded, take }, onSecret, onClose }: AskProps) {
  const { t } = useTranslation()
  const query = { id: loaded.id }
  const { inSeenVersion } = useSeenVersion<ApplicationDetails>(loaded.version, {
    reread: () => refreshDetails(loaded.id),
  })
  const confirm = () =>
    inSeenVersion(async (version) => {
      const made = await (asked === 'rotate'
        ? call(rotateSecret, { query, body: { version } })
        : call(removeSecret, { query, body: { version } }))
      onSecret('secret' in made ? made.secret : null)
      const isSeen = version === loaded.version
      take({ ...loaded, hasSecret: asked === 'rotate', ...(isSeen && { version: made.version }) })
      // Unsaved changes stay based on the version before the other person's: saving them has to show the conflict.
      if (!isSeen) await refreshDetails(loaded.id)
    })
  return (
    <ConfirmDialog
      title={t(`client-secret.${asked}-title`)}
      verb={t(`client-secret.${asked}`)}
      isAwaited={asked === 'rotate'}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t(`client-secret.${asked}-text`)}</p>
    </ConfirmDialog>
  )
}
